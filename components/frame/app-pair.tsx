import { Avatar } from '../ui/avatar'
import { type Brand, Logo } from './brand'

/** An app and the service, joined by a line: who asks, and whose account it is about. */
export const AppPair = ({
  brand,
  app,
}: {
  brand: Brand
  app: { name: string; logoUrl?: string | null | undefined }
}) => (
  <div className="flex items-center">
    <Avatar
      name={app.name}
      src={app.logoUrl}
      size="large"
      shape="square"
      className="size-12 rounded-[12px] text-base"
    />
    <span aria-hidden className="w-10 border-control border-t border-dashed" />
    <Logo brand={brand} size="large" />
  </div>
)
