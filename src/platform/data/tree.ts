/**
 * An immutable sorted tree: inserting and removing return a new tree that shares all but O(log n) nodes with the old one.
 * Copying a table copies a reference, and undoing a change restores the old reference.
 */
export type SortedTree<T> = TreeNode<T> | null

interface TreeNode<T> {
  readonly left: SortedTree<T>
  readonly item: T
  readonly right: SortedTree<T>
  /** The length of the longest path down; the sides of a node differ by at most one (an AVL tree). */
  readonly height: number
}

/** Negative if the left item sorts first; zero if both have the same place. */
type Compare<T> = (left: T, right: T) => number

/** A tree of sorted items without duplicates, in O(n); inserting them one by one would take O(n log n). */
export function treeOf<T>(items: readonly T[], from = 0, to = items.length): SortedTree<T> {
  if (from >= to) return null
  const middle = (from + to) >> 1
  // Between two indexes of the list there is an item.
  return joined(treeOf(items, from, middle), items[middle] as T, treeOf(items, middle + 1, to))
}

/** The tree with the item, which replaces the one that compares as equal. */
export function insert<T>(tree: SortedTree<T>, item: T, compare: Compare<T>): TreeNode<T> {
  if (!tree) return { left: null, item, right: null, height: 1 }
  const order = compare(item, tree.item)
  if (order < 0) return balanced(insert(tree.left, item, compare), tree.item, tree.right)
  if (order > 0) return balanced(tree.left, tree.item, insert(tree.right, item, compare))
  return { ...tree, item }
}

/** The tree without the item that compares as equal; the same tree if there is none. */
export function remove<T>(tree: SortedTree<T>, item: T, compare: Compare<T>): SortedTree<T> {
  if (!tree) return null
  const { left, right } = tree
  const order = compare(item, tree.item)
  if (order < 0) return balanced(remove(left, item, compare), tree.item, right)
  if (order > 0) return balanced(left, tree.item, remove(right, item, compare))
  if (!left || !right) return left ?? right
  const next = leftmost(right)
  return balanced(left, next, remove(right, next, compare))
}

/** The item for which `place` returns zero; `place` returns a negative number for items sorted before it. */
export function find<T>(tree: SortedTree<T>, place: (item: T) => number): T | undefined {
  let node = tree
  while (node) {
    const order = place(node.item)
    if (order === 0) return node.item
    node = order < 0 ? node.right : node.left
  }
  return undefined
}

/**
 * The items in order, or in reverse, beginning with the first one that is not skipped. `isSkipped` must be true for a run
 * at the beginning and for nothing after it; that run is skipped in O(log n) steps, and each further item takes O(1) on
 * average.
 */
export function* walk<T>(
  tree: SortedTree<T>,
  {
    isSkipped = () => false,
    desc = false,
  }: { readonly isSkipped?: (item: T) => boolean; readonly desc?: boolean } = {},
): Generator<T, void, undefined> {
  const near = desc ? 'right' : 'left'
  const far = desc ? 'left' : 'right'
  const path: TreeNode<T>[] = []
  for (let node = tree; node;) {
    const skipped = isSkipped(node.item)
    if (!skipped) path.push(node)
    node = skipped ? node[far] : node[near]
  }
  for (let node = path.pop(); node; node = path.pop()) {
    yield node.item
    for (let next = node[far]; next; next = next[near]) path.push(next)
  }
}

function leftmost<T>(node: TreeNode<T>): T {
  return node.left ? leftmost(node.left) : node.item
}

function heightOf(tree: SortedTree<unknown>): number {
  return tree?.height ?? 0
}

function joined<T>(left: SortedTree<T>, item: T, right: SortedTree<T>): TreeNode<T> {
  return { left, item, right, height: 1 + Math.max(heightOf(left), heightOf(right)) }
}

/** Balances a node after one side has grown or shrunk by one. */
function balanced<T>(left: SortedTree<T>, item: T, right: SortedTree<T>): TreeNode<T> {
  const tilt = heightOf(left) - heightOf(right)
  if (left && tilt > 1) {
    const inner = left.right
    if (inner && heightOf(left.left) < inner.height)
      return joined(joined(left.left, left.item, inner.left), inner.item, joined(inner.right, item, right))
    return joined(left.left, left.item, joined(inner, item, right))
  }
  if (right && tilt < -1) {
    const inner = right.left
    if (inner && heightOf(right.right) < inner.height)
      return joined(joined(left, item, inner.left), inner.item, joined(inner.right, right.item, right.right))
    return joined(joined(left, item, inner), right.item, right.right)
  }
  return joined(left, item, right)
}
