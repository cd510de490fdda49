import { describe, expect, it } from 'vitest'
import { scopeLines, scopeRows } from './scope-lines'

const row = {
  name: 'deployments:write',
  selects: 'PROJECTS',
  sensitivity: 'ELEVATED',
  description: 'Deploy the projects | environments you choose',
}

describe('scope lines', () => {
  it('are parsed into the scopes that they were created from', () => {
    expect(scopeRows(scopeLines([row, { ...row, name: 'logs:read' }]))).toEqual([
      row,
      { ...row, name: 'logs:read' },
    ])
  })

  it('are parsed with default values for missing parts', () => {
    expect(scopeRows('logs:read')).toEqual([
      { name: 'logs:read', selects: 'NOTHING', sensitivity: 'LOW', description: '' },
    ])
    expect(scopeRows('logs:read| workspaces |high|Read logs')).toEqual([
      { name: 'logs:read', selects: 'WORKSPACES', sensitivity: 'HIGH', description: 'Read logs' },
    ])
  })

  it('omit empty rows', () => {
    expect(scopeLines([{ ...row, name: '', description: '' }])).toBe('')
    expect(scopeRows('\r\n \n | | | \n')).toEqual([])
  })
})
