import { mount } from '@/lib/server/bridge'
import { handleMcp } from '@/lib/server/handle-mcp'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mount(handleMcp)
