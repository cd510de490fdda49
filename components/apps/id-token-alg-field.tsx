import { SelectField } from '../ui/field'

/** What an app's id_tokens are signed with; RS256 is what libraries expect unless told otherwise. */
export const IdTokenAlgField = ({ alg, error }: { alg: string | undefined; error: string | undefined }) => (
  <SelectField
    label="ID token signature"
    name="idTokenAlg"
    hint="Change it only if your library expects another."
    defaultValue={alg}
    error={error}
  >
    <option value="RS256">RS256</option>
    <option value="ES256">ES256</option>
    <option value="EdDSA">EdDSA</option>
  </SelectField>
)
