interface Fields {
  getInputNode: (path: string) => { focus: () => void } | null
}

/** Moves the focus to the first field with an error after a form was refused. */
export function focusFirstProblem(fields: Fields): (errors: object) => void {
  return errors => {
    const [first] = Object.keys(errors)
    if (first !== undefined) fields.getInputNode(first)?.focus()
  }
}
