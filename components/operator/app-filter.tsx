import { FilterForm } from '../forms/filter-form'
import { SelectField, TextField } from '../ui/field'

/** A client ID may be the address of its metadata document. */
export const longestSearch = 200

/** Narrows the list of all OAuth apps, in the page's address. */
export function AppFilter({
  path,
  search,
  source,
  state,
}: {
  path: string
  search: string
  source: string | undefined
  state: string | undefined
}) {
  return (
    <FilterForm key={`${search} ${source} ${state}`} path={path} className="sm:grid-cols-[2fr_1fr_1fr_auto]">
      <TextField
        label="Search apps"
        name="search"
        type="search"
        defaultValue={search}
        maxLength={longestSearch}
        placeholder="Name or client ID"
      />
      <SelectField label="Origin" name="source" defaultValue={source ?? ''}>
        <option value="">Every origin</option>
        <option value="SETTINGS">Workspace settings</option>
        <option value="DYNAMIC">Registered itself</option>
        <option value="METADATA_DOCUMENT">Metadata document</option>
      </SelectField>
      <SelectField label="State" name="state" defaultValue={state ?? ''}>
        <option value="">Every state</option>
        <option value="waiting">Only waiting</option>
        <option value="verified">Only verified</option>
        <option value="disabled">Only disabled</option>
      </SelectField>
    </FilterForm>
  )
}
