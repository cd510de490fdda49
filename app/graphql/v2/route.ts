import { handleGraphQL } from '@/lib/graphql/handler'
import { mount } from '@/lib/web/bridge'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mount(handleGraphQL)
