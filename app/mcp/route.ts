import { readDocs } from '@/app/docs/markdown/read-docs'
import { mount } from '@/lib/server/bridge'
import { makeHandleMcp } from '@/lib/server/handle-mcp'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mount(makeHandleMcp(readDocs))
