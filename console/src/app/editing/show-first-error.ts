/** Scrolls to the first error once it is drawn, which may take some frames, and focuses it if it is a field. */
export function showFirstError(form: HTMLElement | null, frames = 30): void {
  requestAnimationFrame(() => {
    const wrong = form?.querySelector<HTMLElement>('[role=alert], [aria-invalid=true], .mantine-InputWrapper-error')
    if (!wrong && frames > 0) return showFirstError(form, frames - 1)
    wrong?.scrollIntoView({ block: 'center' })
    if (wrong instanceof HTMLInputElement) wrong.focus({ preventScroll: true })
  })
}
