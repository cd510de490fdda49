/** Told on the first pages of an installation that nobody manages yet; it names the way, which takes a shell on the server. */
export function NoOperator() {
  return (
    <p className="mt-3 text-muted text-sm first:mt-0">
      Nobody manages this installation yet. Whoever runs it signs up and then makes themselves its operator
      with{' '}
      <code className="whitespace-nowrap rounded-sm bg-raised px-1 py-0.5 font-mono text-[13px]">
        latchkey grant-admin &lt;email&gt;
      </code>{' '}
      on the server.
    </p>
  )
}
