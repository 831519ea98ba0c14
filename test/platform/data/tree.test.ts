import fc from 'fast-check'
import { find, insert, remove, treeOf, walk, type SortedTree } from '../../../src/platform/data/tree'

const byNumber = (left: number, right: number) => left - right

function inserted(items: Iterable<number>): SortedTree<number> {
  let tree: SortedTree<number> = null
  for (const item of items) tree = insert(tree, item, byNumber)
  return tree
}

/** Counts the comparisons of an operation. */
function counted() {
  const seen = { count: 0 }
  const compare = (left: number, right: number) => {
    seen.count++
    return left - right
  }
  return { seen, compare }
}

/** The height, if no two sides differ by more than one. */
function balancedHeight(tree: SortedTree<number>): number {
  if (!tree) return 0
  const [left, right] = [balancedHeight(tree.left), balancedHeight(tree.right)]
  expect(Math.abs(left - right)).toBeLessThanOrEqual(1)
  return 1 + Math.max(left, right)
}

function* upTo(count: number) {
  for (let item = 0; item < count; item++) yield item
}

describe('a sorted tree', () => {
  it('of items that are in order is balanced, and holds them all', () => {
    for (let count = 0; count < 70; count++) {
      const tree = treeOf([...upTo(count)])
      balancedHeight(tree)
      expect([...walk(tree)]).toEqual([...upTo(count)])
      expect([...walk(insert(tree, count, byNumber))]).toEqual([...upTo(count + 1)])
    }
  })

  it('equals a sorted list after any insertions and removals, stays balanced, and leaves older trees unchanged', () => {
    const operation = fc.record({ inserts: fc.boolean(), item: fc.integer({ min: 0, max: 30 }) })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), operations => {
        let tree: SortedTree<number> = null
        let list: number[] = []
        const versions: [SortedTree<number>, number[]][] = []
        for (const { inserts, item } of operations) {
          tree = inserts ? insert(tree, item, byNumber) : remove(tree, item, byNumber)
          list = list.filter(each => each !== item)
          if (inserts) list = [...list, item].sort(byNumber)
          versions.push([tree, list])
        }
        for (const [each, items] of versions) {
          expect([...walk(each)]).toEqual(items)
          balancedHeight(each)
          expect([...walk(each, { desc: true })]).toEqual([...items].reverse())
        }
      }),
    )
  })

  it('is walked from any item in both directions', () => {
    const tree = inserted(upTo(20))
    for (const start of upTo(20)) {
      expect([...walk(tree, { isSkipped: item => item < start })]).toEqual([...upTo(20)].slice(start))
      const down = [...walk(tree, { isSkipped: item => item > start, desc: true })]
      expect(down).toEqual([...upTo(start + 1)].reverse())
    }
  })

  it.each([
    ['rising', upTo(4096)],
    ['falling', [...upTo(4096)].reverse()],
    ['mixed', [...upTo(4096)].map(item => (item * 1597) % 4096)],
  ])('of 4,096 items inserted in %s order compares at most 17 of them per operation', (_, items) => {
    const tree = inserted(items)
    for (const item of [0, 1, 2047, 4095]) {
      let found = counted()
      expect(find(tree, each => found.compare(each, item))).toBe(item)
      expect(found.seen.count).toBeLessThanOrEqual(17)
      found = counted()
      insert(tree, item + 0.5, found.compare)
      expect(found.seen.count).toBeLessThanOrEqual(17)
      found = counted()
      remove(tree, item, found.compare)
      // Removing also finds the next item, and removes that from its place.
      expect(found.seen.count).toBeLessThanOrEqual(34)
    }
  })
})
