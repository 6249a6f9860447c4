/** Packages of ours that the tests of a library use besides the leaf. */
const testedWith: Readonly<Record<string, string>> = {
  'packages/context-inheritance': '@agent/run-store',
};

/** Tells whether a member may import a package, by its name or a subpath of it: a library the leaf, `orchestrator` and apps any, the simulators none of ours. */
export function mayImport(member: string, specifier: string): boolean {
  if (!specifier.startsWith('@agent/')) return true;
  if (member === 'packages/simulators') return false;
  if (!member.startsWith('packages/')) return true;
  if (member === 'packages/orchestrator') return true;
  if (member === 'packages/text') return false;
  return toName(specifier) === '@agent/text';
}

/** The package of ports and models whose types every library may import; it has no dependency at that entry point. */
export const MODEL = '@agent/platforms';

/** Tells whether a member may depend on the package of ports and models for its types: a library, but not the leaf. */
export function mayImportModel(member: string): boolean {
  return (
    member.startsWith('packages/') &&
    !['packages/text', 'packages/page', 'packages/simulators'].includes(member)
  );
}

/** True for packages that tests of a member may import in addition to its published sources: its own one by name, as users do. */
export function mayTestWith(member: string, specifier: string): boolean {
  const name = toName(specifier);
  return name === testedWith[member] || name === member.replace(/^packages\//, '@agent/');
}

function toName(specifier: string): string {
  return specifier.split('/', 2).join('/');
}
