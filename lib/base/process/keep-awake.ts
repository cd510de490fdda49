import { remember } from './remember'

/** Asks the platform not to freeze this process before some work is done. */
type Keeper = (work: Promise<unknown>) => void

const platform = () => remember<{ keeper?: Keeper }>('keep-awake', () => ({}))

/**
 * Says that this process is a function on demand, and how its platform is asked to let it finish. What would be done a while
 * after an answer is done right after it from then on, because nothing runs between two requests. See decision 129.
 */
export const setKeeper = (keeper: Keeper): void => {
  platform().keeper = keeper
}

/** Whether this process may be frozen as soon as it has answered. */
export const isFrozenWhenIdle = (): boolean => platform().keeper !== undefined

/** Keeps the process from being frozen until some work is done. Nothing needs to be done where it is not frozen. */
export const keepAwake = (work: Promise<unknown>): void => platform().keeper?.(work)
