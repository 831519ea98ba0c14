import { layOut } from '../../react/example/admin/permissions/permission-graph'

const contain = (id: string, ...containedPermissionIds: string[]) => ({ id, containedPermissionIds })
const columnsOf = (...definitions: ReturnType<typeof contain>[]) =>
  Object.fromEntries(layOut(definitions).places.map(({ id, column }) => [id, column]))

describe('the places of permissions', () => {
  it('are further to the right the longer the way there is', () => {
    expect(columnsOf(contain('admin', 'write', 'read'), contain('read'), contain('write', 'read'))).toEqual({
      admin: 0,
      write: 1,
      read: 2,
    })
  })

  it('leave out what neither contains nor is contained', () => {
    expect(columnsOf(contain('alone'), contain('write', 'read'), contain('read'))).toEqual({ write: 0, read: 1 })
  })

  it('leave out contained ids without a definition', () => {
    expect(layOut([contain('write', 'gone')])).toEqual({ places: [], edges: [], columns: 0, rows: 0 })
  })

  it('are there for permissions that contain each other, and for one that contains itself', () => {
    expect(columnsOf(contain('a', 'b'), contain('b', 'c'), contain('c', 'a'))).toEqual({ a: 0, b: 1, c: 2 })
    expect(layOut([contain('a', 'a')])).toEqual({
      places: [{ id: 'a', column: 0, row: 0 }],
      edges: [{ from: 'a', to: 'a', via: [] }],
      columns: 1,
      rows: 1,
    })
  })

  it('are placed beside their containers, each in a separate row', () => {
    const { places, columns, rows } = layOut([
      contain('first', 'z'),
      contain('second', 'a'),
      contain('a'),
      contain('z'),
    ])
    expect(places).toEqual([
      { id: 'first', column: 0, row: 0 },
      { id: 'second', column: 0, row: 1 },
      { id: 'z', column: 1, row: 0 },
      { id: 'a', column: 1, row: 1 },
    ])
    expect([columns, rows]).toEqual([2, 2])
  })

  it('leave a row free where an edge crosses a column', () => {
    const { places, edges, rows } = layOut([
      contain('admin', 'write', 'read'),
      contain('write', 'read'),
      contain('read'),
    ])
    const crossing = edges.find(({ from, to }) => from === 'admin' && to === 'read')
    expect(crossing?.via).toEqual([{ column: 1, row: 1 }])
    expect(places).toContainEqual({ id: 'write', column: 1, row: 0 })
    expect(rows).toBe(2)
  })
})
