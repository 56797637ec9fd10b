; Occupancy, the next cliff and the room in remarks are those of the calculator. A bound
; by shared memory has no cliff, a device function no occupancy, and a block size that
; nobody gave is called a guess.
; RUN: %gpu -mcpu=sm_90 -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>%t.out
; RUN: %FileCheck %s <%t.out
; RUN: grep "'cliff'" -A1 %t.out >%t.cliff
; RUN: %warpalloc_cli occupancy --sm 90 --threads 512 >>%t.cliff
; RUN: %FileCheck %s --check-prefix=CLIFF <%t.cliff

; CLIFF:      'cliff' takes about [[#%u,REGS:]] registers
; CLIFF:      with 'cliff', [[#%u,WARPS:]] of the 64 warps of an SM are resident ([[#%u,PERCENT:]] percent): [[#%u,BLOCKS:]] block{{s?}} of 512 threads, limited by registers; with [[#%u,FEWER:]] register{{s?}} fewer,
; CLIFF-SAME: {{^}} [[#REGS-FEWER]], it would be [[#%u,MOREBLOCKS:]] blocks and [[#%u,MOREWARPS:]] warps ([[#%u,MOREPERCENT:]] percent); there is room for [[#%u,ROOM:]] more register
; CLIFF-DAG:  registers=[[#REGS]] {{.*}}blocks=[[#BLOCKS]] warps=[[#WARPS]] occupancy=[[#PERCENT]] limits=registers
; CLIFF-DAG:  registers=[[#REGS+ROOM]] {{.*}}blocks=[[#BLOCKS]] warps=[[#WARPS]]
; CLIFF-DAG:  registers=[[#REGS+ROOM+1]] {{.*}}blocks=[[#BLOCKS-1]] {{.*}}
; CLIFF-DAG:  registers=[[#REGS-FEWER]] {{.*}}blocks=[[#MOREBLOCKS]] warps=[[#MOREWARPS]] occupancy=[[#MOREPERCENT]]
; CLIFF-DAG:  registers=[[#REGS-FEWER+1]] {{.*}}blocks=[[#BLOCKS]] warps

; CHECK:      'cliff' takes about [[#]] registers a thread; its budget is {{[0-9]+}}, from [[#]] resident blocks with nvvm.maxntid=512
; CHECK-NEXT: with 'cliff', 32 of the 64 warps
; CHECK-NEXT: where the register pressure of 'cliff' is highest, {{.*}} compile with -g to have lines named
; CHECK-NEXT: 'shared' takes about [[#]] registers a thread; its budget is
; CHECK-NEXT: with 'shared', 8 of the 64 warps of an SM are resident (12 percent): 4 blocks of 64 threads, limited by shared memory; fewer registers would not make it more; there is room for {{[0-9]+}} more registers
; CHECK-NEXT: pressure
; CHECK-NEXT: 'guess' takes about [[#]] registers a thread; its budget is 255, from the register file
; CHECK-NEXT: with 'guess', 64 of the 64 warps of an SM are resident (100 percent): 8 blocks of 256 threads, which is a guess, limited by
; CHECK-NEXT: pressure
; CHECK-NEXT: 'device' takes about
; CHECK-NEXT: pressure
; CHECK-NOT:  remark

target triple = "nvptx64-nvidia-cuda"

@array = internal addrspace(3) global [12288 x i32] undef

define ptx_kernel void @cliff(ptr addrspace(1) %p) "nvvm.maxntid"="512" {
  %a = load volatile <16 x i32>, ptr addrspace(1) %p
  %b = load volatile <16 x i32>, ptr addrspace(1) %p
  %c = load volatile <16 x i32>, ptr addrspace(1) %p
  store volatile <16 x i32> %a, ptr addrspace(1) %p
  store volatile <16 x i32> %b, ptr addrspace(1) %p
  store volatile <16 x i32> %c, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @shared(i32 %x) "nvvm.maxntid"="64" {
  store volatile i32 %x, ptr addrspace(3) @array
  ret void
}

define ptx_kernel void @guess(ptr addrspace(1) %p, i32 %x) {
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}

define void @device(ptr addrspace(1) %p, i32 %x) {
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
