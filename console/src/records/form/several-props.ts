/** Several choices at once, as in a select: the list opens on intent, the best match is highlighted, and Enter removes nothing. */
export const severalProps = {
  searchable: true,
  openOnFocus: false,
  selectFirstOptionOnChange: true,
  hidePickedOptions: true,
}
