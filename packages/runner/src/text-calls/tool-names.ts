/** Names of the tools that a model can call. Spelling and namespace do not matter: `functions.readFile` is `read_file`. */
export class ToolNames {
  readonly #known: ReadonlySet<string> | null;

  /** Null: any name that tools can have. */
  constructor(names: readonly string[] | null) {
    this.#known = names === null ? null : new Set(names.map(normalize));
  }

  /** True if any name counts as the name of a tool. */
  get isAny(): boolean {
    return this.#known === null;
  }

  has(written: unknown): boolean {
    if (typeof written !== 'string' || written.length > maxNameChars) return false;
    if (this.#known === null) return /^[\w.:/-]+$/.test(written);
    const parts = written.split(/[./:]/).map(normalize);
    return this.#known.has(normalize(written)) || parts.some((part) => this.#known?.has(part));
  }
}

const maxNameChars = 128;

function normalize(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}
