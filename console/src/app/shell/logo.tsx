/** In the page itself: a file of its own would be one request more. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0a62c2" />
      <path
        fill="#fff"
        d="M6.5 9h11A1.5 1.5 0 0 1 19 10.5V20h-6.3a3 3 0 0 0-5.8-.6H5V10.5A1.5 1.5 0 0 1 6.5 9zM20.5 13h2.7a1.5 1.5 0 0 1 1.3.7l2.2 3.3a1.5 1.5 0 0 1 .3.9V18.5A1.5 1.5 0 0 1 25.7 20a3 3 0 0 0-5.2-1.7z"
      />
      <circle cx="9.8" cy="20.8" r="2" fill="#fff" />
      <circle cx="22.8" cy="20.8" r="2" fill="#fff" />
    </svg>
  )
}
