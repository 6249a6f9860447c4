/** What is said of a label to make or change it. */
export interface LabelChange {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
  readonly description?: string | null | undefined;
}
