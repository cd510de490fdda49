import { handleGraphQL } from '@/lib/edges/graphql/handler'
import { mount } from '@/lib/server/bridge'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mount(handleGraphQL)
