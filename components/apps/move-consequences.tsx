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
        The admins of {to} review the redirect URIs and replace the client secrets or public keys. The present
        ones end then, and after 7 days at the latest: then the app is switched off.
      </li>
      <li>
        Its webhooks are switched off, and its back-channel logout address is removed. Check each address and
        rotate its secret before you switch it on again.
      </li>
      <li>
        Where a workspace allows only its own apps, it no longer counts as one of {from}’s. It counts as one
        of {to}’s when the transfer is finished.
      </li>
      <li>Where admins installed or approved it, it stays installed or approved.</li>
      {inDevelopment && <li>It’s in development, so only members of {to} can use it from then on.</li>}
      <li>
        Verification by the instance admin and the verified domain end: they are about the app as {from} runs
        it.
      </li>
    </ul>
  )
}
