"""Kernels (compiled functions) on an NVIDIA GPU through CuPy: CUDA source, batches of instances, fixed time steps."""

from multiloop.kernels.cuda.cuda_kernel import CudaKernel, cuda_steps
from multiloop.kernels.cuda.device import GPU_REMEDY, CudaSteps, missing_gpu_reason

__all__ = ["GPU_REMEDY", "CudaKernel", "CudaSteps", "cuda_steps", "missing_gpu_reason"]
