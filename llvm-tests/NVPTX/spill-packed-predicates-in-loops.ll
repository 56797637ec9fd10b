; ptxas makes one instruction of comparisons that test the lowest seven bits of a byte of a
; register, and moves them together for that. With all seven of them it fails where it needs
; another predicate (see ptxas-seven-bits.test). So spilled predicates take six of them, and
; the eighth: no bit 6, 14, 22 or 30.
; RUN: %gpu -warpalloc-disable=reorder,uniform -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s --implicit-check-not="{{, (64|16384|4194304|1073741824|-65|-16385|-4194305|-1073741825);}}" <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx && %nvdisasm -c %t.cubin | %FileCheck %s --check-prefix=MACHINE --implicit-check-not="0x7f ;" %}

; STATS: function=flags {{.*}}used.PB=15
; CHECK:   and.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, -129;
; CHECK:   and.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, -33;
; CHECK:   and.b32 {{.*}}, 32768;
; MACHINE: R2P PR, R{{[0-9]+}}{{.*}}, 0x3f ;

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @flags(ptr addrspace(1) %p, i32 %n, float %x) {
entry:
  %q = icmp slt i32 %n, 7
  %v0 = load volatile i32, ptr addrspace(1) %p
  %c0 = icmp slt i32 %v0, %n
  %p0 = xor i1 %c0, %q
  %v1 = load volatile i32, ptr addrspace(1) %p
  %c1 = icmp slt i32 %v1, %n
  %p1 = xor i1 %c1, %q
  %v2 = load volatile i32, ptr addrspace(1) %p
  %c2 = icmp slt i32 %v2, %n
  %p2 = xor i1 %c2, %q
  %v3 = load volatile i32, ptr addrspace(1) %p
  %c3 = icmp slt i32 %v3, %n
  %p3 = xor i1 %c3, %q
  %v4 = load volatile i32, ptr addrspace(1) %p
  %c4 = icmp slt i32 %v4, %n
  %p4 = xor i1 %c4, %q
  %v5 = load volatile i32, ptr addrspace(1) %p
  %c5 = icmp slt i32 %v5, %n
  %p5 = xor i1 %c5, %q
  %v6 = load volatile i32, ptr addrspace(1) %p
  %c6 = icmp slt i32 %v6, %n
  %p6 = xor i1 %c6, %q
  %v7 = load volatile i32, ptr addrspace(1) %p
  %c7 = icmp slt i32 %v7, %n
  %p7 = xor i1 %c7, %q
  %v8 = load volatile i32, ptr addrspace(1) %p
  %c8 = icmp slt i32 %v8, %n
  %p8 = xor i1 %c8, %q
  %v9 = load volatile i32, ptr addrspace(1) %p
  %c9 = icmp slt i32 %v9, %n
  %p9 = xor i1 %c9, %q
  %v10 = load volatile i32, ptr addrspace(1) %p
  %c10 = icmp slt i32 %v10, %n
  %p10 = xor i1 %c10, %q
  %v11 = load volatile i32, ptr addrspace(1) %p
  %c11 = icmp slt i32 %v11, %n
  %p11 = xor i1 %c11, %q
  %v12 = load volatile i32, ptr addrspace(1) %p
  %c12 = icmp slt i32 %v12, %n
  %p12 = xor i1 %c12, %q
  %v13 = load volatile i32, ptr addrspace(1) %p
  %c13 = icmp slt i32 %v13, %n
  %p13 = xor i1 %c13, %q
  %v14 = load volatile i32, ptr addrspace(1) %p
  %c14 = icmp slt i32 %v14, %n
  %p14 = xor i1 %c14, %q
  %v15 = load volatile i32, ptr addrspace(1) %p
  %c15 = icmp slt i32 %v15, %n
  %p15 = xor i1 %c15, %q
  br label %loop

loop:
  %s0 = phi float [ %x, %entry ], [ %s16, %next15 ]
  %w = load volatile i32, ptr addrspace(1) %p
  %r = icmp slt i32 %w, 3
  br i1 %p0, label %then0, label %next0

then0:
  %t0 = fneg float %s0
  %u0 = fadd float %t0, 0.0
  br label %next0

next0:
  %s1 = phi float [ %s0, %loop ], [ %u0, %then0 ]
  br i1 %p1, label %then1, label %next1

then1:
  %t1 = fneg float %s1
  %u1 = fadd float %t1, 1.0
  br label %next1

next1:
  %s2 = phi float [ %s1, %next0 ], [ %u1, %then1 ]
  br i1 %p2, label %then2, label %next2

then2:
  %t2 = fneg float %s2
  %u2 = fadd float %t2, 2.0
  br label %next2

next2:
  %s3 = phi float [ %s2, %next1 ], [ %u2, %then2 ]
  br i1 %p3, label %then3, label %next3

then3:
  %t3 = fneg float %s3
  %u3 = fadd float %t3, 3.0
  br label %next3

next3:
  %s4 = phi float [ %s3, %next2 ], [ %u3, %then3 ]
  br i1 %p4, label %then4, label %next4

then4:
  %t4 = fneg float %s4
  %u4 = fadd float %t4, 4.0
  br label %next4

next4:
  %s5 = phi float [ %s4, %next3 ], [ %u4, %then4 ]
  br i1 %p5, label %then5, label %next5

then5:
  %t5 = fneg float %s5
  %u5 = fadd float %t5, 5.0
  br label %next5

next5:
  %s6 = phi float [ %s5, %next4 ], [ %u5, %then5 ]
  br i1 %p6, label %then6, label %next6

then6:
  %t6 = fneg float %s6
  %u6 = fadd float %t6, 6.0
  br label %next6

next6:
  %s7 = phi float [ %s6, %next5 ], [ %u6, %then6 ]
  br i1 %p7, label %then7, label %next7

then7:
  %t7 = fneg float %s7
  %u7 = fadd float %t7, 7.0
  br label %next7

next7:
  %s8 = phi float [ %s7, %next6 ], [ %u7, %then7 ]
  br i1 %p8, label %then8, label %next8

then8:
  %t8 = fneg float %s8
  %u8 = fadd float %t8, 8.0
  br label %next8

next8:
  %s9 = phi float [ %s8, %next7 ], [ %u8, %then8 ]
  br i1 %p9, label %then9, label %next9

then9:
  %t9 = fneg float %s9
  %u9 = fadd float %t9, 9.0
  br label %next9

next9:
  %s10 = phi float [ %s9, %next8 ], [ %u9, %then9 ]
  br i1 %p10, label %then10, label %next10

then10:
  %t10 = fneg float %s10
  %u10 = fadd float %t10, 10.0
  br label %next10

next10:
  %s11 = phi float [ %s10, %next9 ], [ %u10, %then10 ]
  br i1 %p11, label %then11, label %next11

then11:
  %t11 = fneg float %s11
  %u11 = fadd float %t11, 11.0
  br label %next11

next11:
  %s12 = phi float [ %s11, %next10 ], [ %u11, %then11 ]
  br i1 %p12, label %then12, label %next12

then12:
  %t12 = fneg float %s12
  %u12 = fadd float %t12, 12.0
  br label %next12

next12:
  %s13 = phi float [ %s12, %next11 ], [ %u12, %then12 ]
  br i1 %p13, label %then13, label %next13

then13:
  %t13 = fneg float %s13
  %u13 = fadd float %t13, 13.0
  br label %next13

next13:
  %s14 = phi float [ %s13, %next12 ], [ %u13, %then13 ]
  br i1 %p14, label %then14, label %next14

then14:
  %t14 = fneg float %s14
  %u14 = fadd float %t14, 14.0
  br label %next14

next14:
  %s15 = phi float [ %s14, %next13 ], [ %u14, %then14 ]
  br i1 %p15, label %then15, label %next15

then15:
  %t15 = fneg float %s15
  %u15 = fadd float %t15, 15.0
  br label %next15

next15:
  %s16 = phi float [ %s15, %next14 ], [ %u15, %then15 ]
  %z = select i1 %r, float %s16, float %x
  store volatile float %z, ptr addrspace(1) %p
  %more = fcmp olt float %s16, 100.0
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
