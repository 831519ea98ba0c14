import Theme from 'vitepress/theme-without-fonts'

export default Theme
