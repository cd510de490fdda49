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
        Secrets and public keys stay valid, and whoever has them now still has them. Exchange them after the
        move.
      </li>
      <li>
        Its webhooks are switched off. Check each address and rotate its secret before you switch it on again.
      </li>
      <li>
        For a workspace that lets in its own apps alone, it is one of {to}’s from then on, and none of {from}
        ’s.
      </li>
      <li>Where admins installed or approved it, it stays so.</li>
      {inDevelopment && (
        <li>
          It is in development: from then on it is for members of {to} alone, and stops for everybody else.
        </li>
      )}
      <li>The operator’s verification of the app ends: it was of the app as {from} runs it.</li>
    </ul>
  )
}
