import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The SDK as it is in this workspace, not as it was packed last.
  resolve: { conditions: ['@lading/source', ...defaultClientConditions] },
  // What is in public/ is the landing page, which the server has without a build.
  publicDir: false,
  logLevel: 'warn',
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // A file inside the page would be an inline style or script, which the page's policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files: each request costs a first visit more than the bytes of another page's styles and shared parts.
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
  },
})
