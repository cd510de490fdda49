import { announceNavigation } from '@/components/frame/navigation-start'

/** Announces a navigation. Next calls this function in the browser when a navigation starts. */
export const onRouterTransitionStart = announceNavigation
