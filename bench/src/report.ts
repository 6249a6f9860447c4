/** What a bench found out, ready to be printed. */
export interface Report {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly goals: readonly Goal[];
  /** What the figures include, and what was seen on the way. */
  readonly notes: readonly string[];
  /** Reason for which nothing of it may be believed: the command fails with it. */
  readonly failure?: string;
}

/** Figures in rows; the first column names the row. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** `markdown` for a table that goes into documents as it is. Default: columns as wide as their widest cell. */
  readonly format?: 'markdown';
}

/** A figure that must not be above a limit, or not below it. */
export type Goal = Limit & {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
};

export type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** One bench: measures, and rejects only when it could not. */
export interface Bench {
  readonly name: string;
  /** Runs the sources alone, so that nothing need be built before. */
  readonly fromSources?: true;
  /** Has arguments of its own on the command line, behind its name. */
  readonly takesArguments?: true;
  readonly run: (options: BenchOptions) => Promise<Report>;
}

export interface BenchOptions {
  /** Told what is being done, for people who wait. */
  readonly onProgress: (message: string) => void;
  /** Arguments behind the name of the bench. */
  readonly args: readonly string[];
}
