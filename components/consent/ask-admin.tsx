import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { SelectField, TextField } from '../ui/field'

type Place = { id: string; name: string; decides: boolean }

/**
 * Within the form of the consent or device page: asks the admins of a workspace to let the app in; one of them approves it
 * for all that it asks for. It stands before the
 * buttons of the decision, so that Enter in its field asks and authorizes nothing.
 */
export function AskAdmin({ places, outcome }: { places: Place[]; outcome?: string | undefined }) {
  const [only] = places
  if (!only)
    return outcome === 'approved' ? <Alert tone="success" title="Approved. You can select it now." /> : null
  return (
    <section
      aria-label="Needs approval"
      className="grid gap-3 rounded-control border bg-background p-3.5 text-sm"
    >
      {outcome === 'yes' && (
        <Alert tone="success" title="The admins were asked. You are told what they decide." />
      )}
      {outcome === 'approved' && <Alert tone="success" title="Approved. You can select it now." />}
      {outcome === 'no' && <Alert tone="danger" title="That could not be asked. Try again later." />}
      <p className="text-muted">
        Where it says so, an admin must approve this app first. You can ask, and come back once it is
        approved.
      </p>
      {places.length === 1 ? (
        <input type="hidden" name="ask" value={only.id} />
      ) : (
        <SelectField label="Ask for" name="ask">
          {places.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <TextField label="Reason" name="reason" optional maxLength={500} />
      <div className="flex flex-wrap gap-2">
        {places.some(({ decides }) => !decides) && (
          <Button type="submit" name="decision" value="ask">
            Ask an admin
          </Button>
        )}
        {places.some(({ decides }) => decides) && (
          <Button type="submit" name="decision" value="approve">
            Approve as an admin
          </Button>
        )}
      </div>
    </section>
  )
}
