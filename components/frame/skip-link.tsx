/** The first stop of the Tab key: past the rail, to `<main id="content">`. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-60 -translate-y-20 rounded-control border bg-surface px-3 py-2 font-medium focus:translate-y-0 focus:shadow-overlay"
    >
      Skip to content
    </a>
  )
}
