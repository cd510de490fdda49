import { SubNav } from '@/components/frame/page-header'

/** The tabs for the pages of the instance settings. */
export const SettingsTabs = () => (
  <SubNav
    label="Settings"
    items={[
      { label: 'Sign-in', href: '/admin/settings', exact: true },
      { label: 'Apps and workspaces', href: '/admin/settings/apps' },
      { label: 'All values', href: '/admin/settings/environment' },
    ]}
  />
)
