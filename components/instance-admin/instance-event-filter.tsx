import { fullRowClass } from '../audit/event-filter'
import { FilterForm } from '../forms/filter-form'
import { TextField } from '../ui/field'

export type InstanceEventFilterValues = {
  search: string
  user: string
  workspace: string
  since: string
  until: string
}

/** A form that filters the audit log of the instance. */
export function InstanceEventFilter({ path, values }: { path: string; values: InstanceEventFilterValues }) {
  return (
    <FilterForm
      path={path}
      values={values}
      className="grid-cols-2 sm:grid-cols-3 2xl:grid-cols-[1.4fr_1.2fr_1fr_auto_auto_auto]"
    >
      <TextField
        label="Action or ID"
        className="max-sm:col-span-full"
        name="search"
        type="search"
        placeholder="user.suspended"
        defaultValue={values.search}
        maxLength={200}
      />
      <TextField
        label="User"
        name="user"
        placeholder="Email or ID"
        defaultValue={values.user}
        maxLength={320}
      />
      <TextField
        label="Workspace"
        name="workspace"
        placeholder="Slug or ID"
        defaultValue={values.workspace}
        maxLength={80}
      />
      <TextField label="From" name="since" type="date" defaultValue={values.since} className={fullRowClass} />
      <TextField label="To" name="until" type="date" defaultValue={values.until} className={fullRowClass} />
    </FilterForm>
  )
}
