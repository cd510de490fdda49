import type { Say } from '@/lib/base/language/say'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { SelectField, TextField } from '../ui/field'

type Place = { id: string; name: string; decides: boolean }

/**
 * Within the form of the consent or device page: asks the admins of a workspace to let the app in; one of them approves it
 * for all that it asks for. It stands before the
 * buttons of the decision, so that Enter in its field asks and authorizes nothing.
 */
export function AskAdmin({
  say,
  places,
  outcome,
}: {
  say: Say
  places: Place[]
  outcome?: string | undefined
}) {
  const [only] = places
  if (!only) return outcome === 'approved' ? <Alert tone="success" title={say('ask.approved')} /> : null
  return (
    <section
      aria-label={say('ask.title')}
      className="grid gap-3 rounded-control border bg-background p-3.5 text-sm"
    >
      {outcome === 'yes' && <Alert tone="success" title={say('ask.asked')} />}
      {outcome === 'approved' && <Alert tone="success" title={say('ask.approved')} />}
      {outcome === 'no' && <Alert tone="danger" title={say('ask.failed')} />}
      <p className="text-muted">{say('ask.why')}</p>
      {places.length === 1 ? (
        <input type="hidden" name="ask" value={only.id} />
      ) : (
        <SelectField label={say('ask.for')} name="ask">
          {places.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <TextField label={say('ask.reason')} name="reason" hint={say('ask.reasonHint')} maxLength={500} />
      <div className="flex flex-wrap gap-2">
        {places.some(({ decides }) => !decides) && (
          <Button type="submit" name="decision" value="ask">
            {say('ask.submit')}
          </Button>
        )}
        {places.some(({ decides }) => decides) && (
          <Button type="submit" name="decision" value="approve">
            {say('ask.approve')}
          </Button>
        )}
      </div>
    </section>
  )
}
