/**
 * The declared members of one of gitbeaker's answer shapes, which otherwise let everything pass, with corrections where
 * GitLab answers otherwise than they say (mostly null), less what it does not answer. Used inside the simulator only: what its entry point exports
 * names none of them, so that a consumer needs no package of types.
 */
export type Vendor<Schema, Corrections = unknown, Missing extends string = never> = Omit<
  Declared<Schema>,
  keyof Corrections | Missing
> &
  Corrections;

type Declared<Schema> = {
  [Key in keyof Schema as string extends Key ? never : number extends Key ? never : Key]: Schema[Key];
};
