import { handleExplorer } from '@/lib/edges/graphql/answer-explorer'
import { mount } from '@/lib/server/bridge'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mount(handleExplorer)
