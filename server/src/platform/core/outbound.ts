/** What a server says of itself that was started with OUTBOUND=off. */
export const outboundOff =
  'OUTBOUND=off: nothing is sent. Mails, webhooks, syncs with accounting systems, filings and acknowledgements wait, and nothing is taken from directories or mailboxes.'
