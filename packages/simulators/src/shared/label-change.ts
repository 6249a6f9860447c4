/** Fields that make or change a label. */
export interface LabelChange {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
  readonly description?: string | null | undefined;
}
