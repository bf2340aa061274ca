import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** The same colours as on the sign-in pages; the fonts are those of the system. */
export const theme = createTheme({
  primaryColor: 'lading',
  primaryShade: { light: 6, dark: 6 },
  colors: {
    dark: [
      '#e7edf3',
      '#c9d3dd',
      '#9dabb9',
      '#748392',
      '#3a4856',
      '#2a3540',
      '#1e2831',
      '#151c23',
      '#10161c',
      '#0c1116',
    ],
    lading: [
      '#eef5fd',
      '#dcebfb',
      '#b8d6f6',
      '#8cc4ff',
      '#67b0ff',
      '#2f80df',
      '#0a62c2',
      '#09569f',
      '#084d99',
      '#063d7a',
    ],
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  // Closer together than the library has it: clerks look at many records at once.
  spacing: { xs: '0.5rem', sm: '0.625rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Its header is a <header> element, which would be a second banner on the page.
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, attributes: { header: { role: 'presentation' } } },
      styles: { title: { fontWeight: 650, fontSize: '1.1rem' } },
    },
    // Below a title the library has its own grey for it, which is too pale to read.
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    // What does not fit ends in dots, and not in the middle of a letter.
    Input: { styles: { input: { textOverflow: 'ellipsis' } } },
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-md)' } } },
  },
})

/** The greys and reds of the library are too pale to read; these have a contrast of at least 4.5 to 1 on every background. */
export const colors: CSSVariablesResolver = () => ({
  variables: { '--lading-header': '3.25rem' },
  light: {
    '--mantine-color-text': '#10202e',
    '--mantine-color-dimmed': '#526170',
    '--mantine-color-placeholder': '#6a7886',
    '--mantine-color-error': '#a3231b',
    '--mantine-color-anchor': '#0a62c2',
    '--mantine-color-default-border': '#c3ccd6',
    '--lading-ground': '#f4f6f9',
    '--lading-line': '#dbe1e8',
    '--lading-chart': '#2f80df',
    '--lading-chart-pale': '#a9cbf2',
    '--lading-chart-other': '#c2570c',
    '--lading-chart-other-pale': '#f0bd97',
  },
  dark: {
    '--mantine-color-text': '#e7edf3',
    '--mantine-color-dimmed': '#9dabb9',
    '--mantine-color-placeholder': '#8897a6',
    '--mantine-color-error': '#ffa59d',
    '--mantine-color-anchor': '#67b0ff',
    '--mantine-color-default-border': '#3a4856',
    '--lading-ground': '#0c1116',
    '--lading-line': '#27323d',
    '--lading-chart': '#67b0ff',
    '--lading-chart-pale': '#2c5480',
    '--lading-chart-other': '#ffa94d',
    '--lading-chart-other-pale': '#7a4d1f',
  },
})
