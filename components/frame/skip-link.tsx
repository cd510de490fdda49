/** The first stop of the Tab key: past the rail, to `<main id="content">`. */
export function SkipLink({ children }: { children: string }) {
  return (
    <a
      href="#content"
      className="fixed start-2 top-2 z-60 -translate-y-20 rounded-control border bg-surface px-3 py-2 font-medium focus:translate-y-0 focus:shadow-overlay"
    >
      {children}
    </a>
  )
}
