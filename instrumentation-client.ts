import { announceNavigation } from '@/components/frame/navigation-start'

/** Next calls this in the browser whenever a navigation begins. */
export const onRouterTransitionStart = announceNavigation
