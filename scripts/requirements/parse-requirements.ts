/** A row of docs/requirements.md. */
export interface Requirement {
  readonly id: string;
  /** `behaviour`, `process`, `limits`, or `replaced by …`. */
  readonly kind: string;
  readonly text: string;
}

/** The form of an id: `CC-1`, `CD-T12`, `TC-A1`, `X14`. */
export const ID: RegExp = /^([A-Z]+)(-[A-Z]?)?(\d+)$/;

/**
 * Reads the tables.
 *
 * @throws when a row has another form or an id stands twice: the document is what everything is measured by.
 */
export function parseRequirements(markdown: string): readonly Requirement[] {
  const requirements = markdown
    .split('\n')
    .map((line) => line.split(' | '))
    .filter((cells) => ID.test(cells[0]?.replace('| ', '') ?? ''))
    .map(toRequirement);
  const repeated = requirements.find(
    ({ id }, index) => requirements.findIndex((other) => other.id === id) !== index,
  );
  if (repeated !== undefined) throw new Error(`docs/requirements.md names ${repeated.id} twice`);
  return requirements;
}

function toRequirement(cells: readonly string[]): Requirement {
  const [id = '', kind = '', text] = cells;
  if (cells.length !== 3 || text === undefined || !/^(behaviour|process|limits|replaced by .+)$/.test(kind)) {
    throw new Error(`docs/requirements.md: this row is not "| id | kind | text |": ${cells.join(' | ')}`);
  }
  return { id: id.replace('| ', ''), kind, text: text.replace(/ \|$/, '') };
}

/** `CD` of `CD-T12`, `X` of `X14`. */
export function familyOf(id: string): string {
  return ID.exec(id)?.[1] ?? '';
}
