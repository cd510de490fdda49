/** What changes when an app moves to another workspace, for those who let it go and for those who take it. */
export function MoveConsequences({
  from,
  to,
  people,
  inDevelopment,
}: {
  from: string
  to: string
  people: number
  inDevelopment: boolean
}) {
  const allowed = people === 1 ? '1 person' : `${people.toLocaleString('en')} people`
  return (
    <ul className="grid list-disc gap-1 pl-5 text-[13px] text-muted">
      <li>
        Settings, activity, usage, and what {allowed} allowed move along. Nobody has to sign in again. People
        see that {to} runs the app.
      </li>
      <li>
        Secrets and public keys stay valid, and whoever has them now still has them. Replace them after the
        move.
      </li>
      <li>
        Its webhooks are switched off. Check each address and rotate its secret before you switch it on again.
      </li>
      <li>
        Workspaces that let in their own apps only: it then counts as one of {to}’s, and no longer as one of{' '}
        {from}
        ’s.
      </li>
      <li>It stays installed and approved wherever it is now.</li>
      {inDevelopment && (
        <li>
          It is in development: from then on it is for members of {to} alone, and stops for everybody else.
        </li>
      )}
      <li>The operator’s verification ends, because it was given while {from} ran the app.</li>
    </ul>
  )
}
