/** Scrolls to the first error once it is drawn, and focuses it if it is a field. */
export function showFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const wrong = form?.querySelector<HTMLElement>('[role=alert], [aria-invalid=true], .mantine-InputWrapper-error')
    wrong?.scrollIntoView({ block: 'center' })
    if (wrong instanceof HTMLInputElement) wrong.focus({ preventScroll: true })
  })
}
