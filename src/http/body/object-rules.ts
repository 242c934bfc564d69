// The rules of objects in which dialects differ; most are about bodies that create them.

/** Groups, datasets and committed datatypes. */
export interface ObjectRules {
  /** Collections list every object of the domain, or only what hard links reach from the root group. */
  readonly listsUnlinked: boolean
  /** Deleting an object removes the hard links to it, or leaves them dangling. */
  readonly deleteRemovesLinks: boolean
  /** A body may be a list of objects to create (hsds-objects 17.1), or is one object (classic 6.2). */
  readonly createsSeveral: boolean
  /** The link of a new object may name no group: then it is put into the root group (hsds-objects 17.2). */
  readonly linksIntoRoot: boolean
  /** The members of creating bodies that hsds-objects 17 adds (ids, paths, first values, times, ...) count, or have no effect. */
  readonly creationOptions: boolean
  /** References that are written must name an object that is there. */
  readonly checksReferences: boolean
}
