interface Fields {
  getInputNode: (path: string) => { focus: () => void } | null
}

/** What a form does that was not filled in right: brings the focus to the first field that is to blame. */
export function focusFirstProblem(fields: Fields): (errors: object) => void {
  return errors => {
    const [first] = Object.keys(errors)
    if (first !== undefined) fields.getInputNode(first)?.focus()
  }
}
