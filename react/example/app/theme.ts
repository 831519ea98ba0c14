import {
  Alert,
  Anchor,
  Button,
  createTheme,
  Input,
  Notification,
  Paper,
  PasswordInput,
  Skeleton,
  TextInput,
  Tooltip,
} from '@mantine/core'
import type { CSSVariablesResolver } from '@mantine/core'

export const theme = createTheme({
  // No animations if the system asks for less motion.
  respectReducedMotion: true,
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 6 },
  colors: {
    brand: [
      '#f3f2ff',
      '#e4e1fd',
      '#c7c1f8',
      '#aca3f4',
      '#9085ee',
      '#7466e5',
      '#5b4bdb',
      '#4c3dc4',
      '#4034a6',
      '#342a88',
    ],
    // Dark enough for white text on it.
    red: ['#fff0f0', '#ffdedf', '#fbb9bb', '#f79195', '#f06d72', '#e34a51', '#cf2f38', '#b6242d', '#981c25', '#79151d'],
    dark: [
      '#d3d5db',
      '#aeb2bb',
      '#8d929d',
      '#6b707b',
      '#3b3f48',
      '#2c2f37',
      '#22252c',
      '#1a1c22',
      '#131519',
      '#0d0e11',
    ],
  },
  black: '#1c1e24',
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.0625rem' } } },
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Alert: Alert.extend({ defaultProps: { variant: 'light' } }),
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Button: Button.extend({
      defaultProps: { loaderProps: { type: 'dots' } },
      // As large as a field beside it, with the text style of other buttons.
      vars: (_, { size }) => ({ root: size === 'md' ? { '--button-fz': 'var(--mantine-font-size-sm)' } : {} }),
    }),
    Input: Input.extend({ classNames: { wrapper: 'field' } }),
    // Errors of a field appear at once, and take no room before.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { errorProps: { role: 'alert' }, labelProps: { fz: 'sm', fw: 500, mb: 4 } },
    }),
    TextInput: TextInput.extend({ defaultProps: { size: 'md' } }),
    PasswordInput: PasswordInput.extend({ defaultProps: { size: 'md' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'lg' } }),
    Skeleton: Skeleton.extend({ defaultProps: { radius: 'md' } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true } }),
  },
})

/** Readable text (4.5:1) and visible borders of fields (3:1) on both backgrounds. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b616b',
    '--mantine-color-error': '#c0262b',
    '--mantine-color-placeholder': '#6a707b',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--mantine-color-orange-light-color': '#8a3203',
    '--mantine-color-teal-light-color': '#05603f',
    '--mantine-color-default-border': '#dcdee3',
    '--app-background': '#f7f7f9',
    '--app-field-border': '#878d97',
    '--app-focus': 'var(--mantine-color-brand-6)',
    '--app-hairline': '#e6e7eb',
  },
  dark: {
    '--mantine-color-dimmed': '#a0a5af',
    '--mantine-color-error': '#ff8f8f',
    '--mantine-color-placeholder': '#8d929d',
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    '--app-background': 'var(--mantine-color-dark-8)',
    '--app-field-border': '#757a85',
    '--app-focus': 'var(--mantine-color-brand-4)',
    '--app-hairline': 'var(--mantine-color-dark-5)',
  },
})
