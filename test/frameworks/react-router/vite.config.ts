import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  // Otherwise Vite finds them while the first page loads, which then fails and loads again.
  optimizeDeps: { include: ['rxauth', 'rxauth/react', 'rxauth/server'] },
})
