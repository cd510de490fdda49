/** Where an app sends people back to, one address a line. */
export const RedirectUriList = ({ uris }: { uris: readonly string[] }) => (
  <ul className="grid gap-1 font-mono text-[13px]">
    {uris.map((uri) => (
      <li key={uri} className="wrap-anywhere">
        {uri}
      </li>
    ))}
    {uris.length === 0 && <li className="text-muted">None</li>}
  </ul>
)
