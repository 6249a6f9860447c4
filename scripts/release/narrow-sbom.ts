/** A component of a bill of materials, as far as it is read here. */
export interface Component {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly properties?: readonly { readonly name: string }[];
}

/** A bill of materials of CycloneDX, as far as it is read here. */
export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Packages that reach those who install an app. */
export interface Shipped {
  /** Those that gave code to the bundle, as `name@version`. */
  readonly bundled: ReadonlySet<string>;
  /** Names of those that are installed with it. */
  readonly installed: readonly string[];
}

/**
 * Narrows the bill of an app, whose bundle is made of development dependencies, to what reaches its users.
 *
 * @throws Error that names a bundled package which the bill does not have
 */
export function narrowSbom<Bill extends Sbom>(sbom: Bill, { bundled, installed }: Shipped): Bill {
  const { metadata, components, dependencies } = sbom;
  const unknown = [...bundled].filter((one) => !components.some((component) => toId(component) === one));
  if (unknown.length > 0) throw new Error(`The bill of materials lacks ${unknown.join(', ')}.`);
  const dependsOn = new Map(dependencies.map((one) => [one.ref, one.dependsOn]));
  const refsOf = (isWanted: (component: Component) => boolean): readonly string[] =>
    components.filter(isWanted).map((component) => component['bom-ref']);
  const own = metadata.component['bom-ref'];
  const beside = new Set(refsOf((component) => installed.includes(toName(component))));
  const kept = new Set(refsOf((component) => bundled.has(toId(component))));
  const queue = (dependsOn.get(own) ?? []).filter((ref) => beside.has(ref));
  for (const ref of queue) {
    kept.add(ref);
    queue.push(...(dependsOn.get(ref) ?? []).filter((next) => !queue.includes(next)));
  }
  const shipped = components.filter((component) => kept.has(component['bom-ref']));
  return {
    ...sbom,
    components: shipped.map(({ scope: _, properties = [], ...component }) => ({
      ...component,
      properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
    })),
    dependencies: dependencies
      .filter(({ ref }) => ref === own || kept.has(ref))
      .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => kept.has(ref)) })),
  };
}

function toName({ group, name }: Component): string {
  return group === undefined ? name : `${group}/${name}`;
}

function toId(component: Component): string {
  return `${toName(component)}@${component.version}`;
}
