import { SubNav } from '@/components/frame/page-header'

/** The pages of the instance's settings, as tabs. */
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
