/** The first stop of the Tab key: past the rail, to `<main id="content">`. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-60 -translate-y-16 rounded-control border bg-surface px-3 py-2 font-medium shadow-overlay focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}
