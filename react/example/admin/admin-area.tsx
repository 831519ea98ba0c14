import type { ReactNode } from 'react'
import { Router } from 'wouter'
import '@mantine/charts/styles.css'
import { adminBase } from '../app/navigation'
import { AdminPages } from './admin-pages'

export { owner as app } from './owner'

/** The part of the example in which people run their projects, below `/admin`. */
export function Pages(): ReactNode {
  return (
    <Router base={adminBase}>
      <AdminPages />
    </Router>
  )
}
