import { handleOAuth } from '@/lib/edges/oauth/http/handler'
import { mount } from '@/lib/server/bridge'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mount(handleOAuth)
