/** What a form sends along unseen, by the names of its inputs. */
export const HiddenFields = ({ fields = {} }: { fields?: Record<string, string> | undefined }) =>
  Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
