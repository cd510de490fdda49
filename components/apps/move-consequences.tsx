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
        Settings, activity, usage and the access that {allowed} gave it move along. Nobody has to sign in
        again. People see that {to} runs the app.
      </li>
      <li>
        Secrets and public keys stay valid, and people who have them now keep them. Rotate them after the
        move.
      </li>
      <li>
        Its webhooks are switched off. Check each address and rotate its secret before you switch it on again.
      </li>
      <li>
        Where a workspace only lets in its own apps, it counts as one of {to}’s and no longer as one of {from}
        ’s.
      </li>
      <li>Where admins installed or approved it, it stays installed or approved.</li>
      {inDevelopment && <li>It’s in development, so only members of {to} can use it from then on.</li>}
      <li>The operator’s verification ends: it was for the app as {from} runs it.</li>
    </ul>
  )
}
