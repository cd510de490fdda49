/** Settings that an operator changed in the console: texts by the names they have in the environment. */
export type ChangedSettings = Readonly<Record<string, string>>

/** One per process, although Next bundles this module once more than server.ts does; as in lib/base/log. */
const key = Symbol.for('latchkey.changed-settings')
const shared = globalThis as { [key]?: ChangedSettings }

const none: ChangedSettings = {}

/** What was changed, as far as this process knows; always the same object until that changes. */
export const changedSettings = (): ChangedSettings => shared[key] ?? none

/** Has `config()` answer with these from now on, below what the environment says. */
export function setChangedSettings(changed: ChangedSettings): void {
  shared[key] = changed
}
