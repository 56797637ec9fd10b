; Without a limit the budget is what a thread can address: 255 registers of 32
; bits. 300 floats live at once do not fit beside their address; 253 do. Where something is
; spilled, eight registers are left to ptxas.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry fits(
; CHECK-NOT:     .local
; CHECK:         .reg .b32 %r<254>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK-NOT:     .local
; CHECK-LABEL: .visible .entry spills(
; CHECK:         .local .align 4 .b8 __local_depot1[{{[0-9]+}}];
; CHECK:         .reg .b32 %r<246>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK:         st.local.b32
; CHECK:         ld.local.b32
; STATS:      function=fits used.R=255 maxlive.R=255 budget.R=255 spilled=0 stores=0 reloads=0
; STATS-NEXT: warpalloc: function=spills used.R=247 maxlive.R=247 budget.R=255 spilled={{5[1-9]}} 
define ptx_kernel void @fits(ptr addrspace(1) %p) {
  %v0 = load volatile float, ptr addrspace(1) %p
  %v1 = load volatile float, ptr addrspace(1) %p
  %v2 = load volatile float, ptr addrspace(1) %p
  %v3 = load volatile float, ptr addrspace(1) %p
  %v4 = load volatile float, ptr addrspace(1) %p
  %v5 = load volatile float, ptr addrspace(1) %p
  %v6 = load volatile float, ptr addrspace(1) %p
  %v7 = load volatile float, ptr addrspace(1) %p
  %v8 = load volatile float, ptr addrspace(1) %p
  %v9 = load volatile float, ptr addrspace(1) %p
  %v10 = load volatile float, ptr addrspace(1) %p
  %v11 = load volatile float, ptr addrspace(1) %p
  %v12 = load volatile float, ptr addrspace(1) %p
  %v13 = load volatile float, ptr addrspace(1) %p
  %v14 = load volatile float, ptr addrspace(1) %p
  %v15 = load volatile float, ptr addrspace(1) %p
  %v16 = load volatile float, ptr addrspace(1) %p
  %v17 = load volatile float, ptr addrspace(1) %p
  %v18 = load volatile float, ptr addrspace(1) %p
  %v19 = load volatile float, ptr addrspace(1) %p
  %v20 = load volatile float, ptr addrspace(1) %p
  %v21 = load volatile float, ptr addrspace(1) %p
  %v22 = load volatile float, ptr addrspace(1) %p
  %v23 = load volatile float, ptr addrspace(1) %p
  %v24 = load volatile float, ptr addrspace(1) %p
  %v25 = load volatile float, ptr addrspace(1) %p
  %v26 = load volatile float, ptr addrspace(1) %p
  %v27 = load volatile float, ptr addrspace(1) %p
  %v28 = load volatile float, ptr addrspace(1) %p
  %v29 = load volatile float, ptr addrspace(1) %p
  %v30 = load volatile float, ptr addrspace(1) %p
  %v31 = load volatile float, ptr addrspace(1) %p
  %v32 = load volatile float, ptr addrspace(1) %p
  %v33 = load volatile float, ptr addrspace(1) %p
  %v34 = load volatile float, ptr addrspace(1) %p
  %v35 = load volatile float, ptr addrspace(1) %p
  %v36 = load volatile float, ptr addrspace(1) %p
  %v37 = load volatile float, ptr addrspace(1) %p
  %v38 = load volatile float, ptr addrspace(1) %p
  %v39 = load volatile float, ptr addrspace(1) %p
  %v40 = load volatile float, ptr addrspace(1) %p
  %v41 = load volatile float, ptr addrspace(1) %p
  %v42 = load volatile float, ptr addrspace(1) %p
  %v43 = load volatile float, ptr addrspace(1) %p
  %v44 = load volatile float, ptr addrspace(1) %p
  %v45 = load volatile float, ptr addrspace(1) %p
  %v46 = load volatile float, ptr addrspace(1) %p
  %v47 = load volatile float, ptr addrspace(1) %p
  %v48 = load volatile float, ptr addrspace(1) %p
  %v49 = load volatile float, ptr addrspace(1) %p
  %v50 = load volatile float, ptr addrspace(1) %p
  %v51 = load volatile float, ptr addrspace(1) %p
  %v52 = load volatile float, ptr addrspace(1) %p
  %v53 = load volatile float, ptr addrspace(1) %p
  %v54 = load volatile float, ptr addrspace(1) %p
  %v55 = load volatile float, ptr addrspace(1) %p
  %v56 = load volatile float, ptr addrspace(1) %p
  %v57 = load volatile float, ptr addrspace(1) %p
  %v58 = load volatile float, ptr addrspace(1) %p
  %v59 = load volatile float, ptr addrspace(1) %p
  %v60 = load volatile float, ptr addrspace(1) %p
  %v61 = load volatile float, ptr addrspace(1) %p
  %v62 = load volatile float, ptr addrspace(1) %p
  %v63 = load volatile float, ptr addrspace(1) %p
  %v64 = load volatile float, ptr addrspace(1) %p
  %v65 = load volatile float, ptr addrspace(1) %p
  %v66 = load volatile float, ptr addrspace(1) %p
  %v67 = load volatile float, ptr addrspace(1) %p
  %v68 = load volatile float, ptr addrspace(1) %p
  %v69 = load volatile float, ptr addrspace(1) %p
  %v70 = load volatile float, ptr addrspace(1) %p
  %v71 = load volatile float, ptr addrspace(1) %p
  %v72 = load volatile float, ptr addrspace(1) %p
  %v73 = load volatile float, ptr addrspace(1) %p
  %v74 = load volatile float, ptr addrspace(1) %p
  %v75 = load volatile float, ptr addrspace(1) %p
  %v76 = load volatile float, ptr addrspace(1) %p
  %v77 = load volatile float, ptr addrspace(1) %p
  %v78 = load volatile float, ptr addrspace(1) %p
  %v79 = load volatile float, ptr addrspace(1) %p
  %v80 = load volatile float, ptr addrspace(1) %p
  %v81 = load volatile float, ptr addrspace(1) %p
  %v82 = load volatile float, ptr addrspace(1) %p
  %v83 = load volatile float, ptr addrspace(1) %p
  %v84 = load volatile float, ptr addrspace(1) %p
  %v85 = load volatile float, ptr addrspace(1) %p
  %v86 = load volatile float, ptr addrspace(1) %p
  %v87 = load volatile float, ptr addrspace(1) %p
  %v88 = load volatile float, ptr addrspace(1) %p
  %v89 = load volatile float, ptr addrspace(1) %p
  %v90 = load volatile float, ptr addrspace(1) %p
  %v91 = load volatile float, ptr addrspace(1) %p
  %v92 = load volatile float, ptr addrspace(1) %p
  %v93 = load volatile float, ptr addrspace(1) %p
  %v94 = load volatile float, ptr addrspace(1) %p
  %v95 = load volatile float, ptr addrspace(1) %p
  %v96 = load volatile float, ptr addrspace(1) %p
  %v97 = load volatile float, ptr addrspace(1) %p
  %v98 = load volatile float, ptr addrspace(1) %p
  %v99 = load volatile float, ptr addrspace(1) %p
  %v100 = load volatile float, ptr addrspace(1) %p
  %v101 = load volatile float, ptr addrspace(1) %p
  %v102 = load volatile float, ptr addrspace(1) %p
  %v103 = load volatile float, ptr addrspace(1) %p
  %v104 = load volatile float, ptr addrspace(1) %p
  %v105 = load volatile float, ptr addrspace(1) %p
  %v106 = load volatile float, ptr addrspace(1) %p
  %v107 = load volatile float, ptr addrspace(1) %p
  %v108 = load volatile float, ptr addrspace(1) %p
  %v109 = load volatile float, ptr addrspace(1) %p
  %v110 = load volatile float, ptr addrspace(1) %p
  %v111 = load volatile float, ptr addrspace(1) %p
  %v112 = load volatile float, ptr addrspace(1) %p
  %v113 = load volatile float, ptr addrspace(1) %p
  %v114 = load volatile float, ptr addrspace(1) %p
  %v115 = load volatile float, ptr addrspace(1) %p
  %v116 = load volatile float, ptr addrspace(1) %p
  %v117 = load volatile float, ptr addrspace(1) %p
  %v118 = load volatile float, ptr addrspace(1) %p
  %v119 = load volatile float, ptr addrspace(1) %p
  %v120 = load volatile float, ptr addrspace(1) %p
  %v121 = load volatile float, ptr addrspace(1) %p
  %v122 = load volatile float, ptr addrspace(1) %p
  %v123 = load volatile float, ptr addrspace(1) %p
  %v124 = load volatile float, ptr addrspace(1) %p
  %v125 = load volatile float, ptr addrspace(1) %p
  %v126 = load volatile float, ptr addrspace(1) %p
  %v127 = load volatile float, ptr addrspace(1) %p
  %v128 = load volatile float, ptr addrspace(1) %p
  %v129 = load volatile float, ptr addrspace(1) %p
  %v130 = load volatile float, ptr addrspace(1) %p
  %v131 = load volatile float, ptr addrspace(1) %p
  %v132 = load volatile float, ptr addrspace(1) %p
  %v133 = load volatile float, ptr addrspace(1) %p
  %v134 = load volatile float, ptr addrspace(1) %p
  %v135 = load volatile float, ptr addrspace(1) %p
  %v136 = load volatile float, ptr addrspace(1) %p
  %v137 = load volatile float, ptr addrspace(1) %p
  %v138 = load volatile float, ptr addrspace(1) %p
  %v139 = load volatile float, ptr addrspace(1) %p
  %v140 = load volatile float, ptr addrspace(1) %p
  %v141 = load volatile float, ptr addrspace(1) %p
  %v142 = load volatile float, ptr addrspace(1) %p
  %v143 = load volatile float, ptr addrspace(1) %p
  %v144 = load volatile float, ptr addrspace(1) %p
  %v145 = load volatile float, ptr addrspace(1) %p
  %v146 = load volatile float, ptr addrspace(1) %p
  %v147 = load volatile float, ptr addrspace(1) %p
  %v148 = load volatile float, ptr addrspace(1) %p
  %v149 = load volatile float, ptr addrspace(1) %p
  %v150 = load volatile float, ptr addrspace(1) %p
  %v151 = load volatile float, ptr addrspace(1) %p
  %v152 = load volatile float, ptr addrspace(1) %p
  %v153 = load volatile float, ptr addrspace(1) %p
  %v154 = load volatile float, ptr addrspace(1) %p
  %v155 = load volatile float, ptr addrspace(1) %p
  %v156 = load volatile float, ptr addrspace(1) %p
  %v157 = load volatile float, ptr addrspace(1) %p
  %v158 = load volatile float, ptr addrspace(1) %p
  %v159 = load volatile float, ptr addrspace(1) %p
  %v160 = load volatile float, ptr addrspace(1) %p
  %v161 = load volatile float, ptr addrspace(1) %p
  %v162 = load volatile float, ptr addrspace(1) %p
  %v163 = load volatile float, ptr addrspace(1) %p
  %v164 = load volatile float, ptr addrspace(1) %p
  %v165 = load volatile float, ptr addrspace(1) %p
  %v166 = load volatile float, ptr addrspace(1) %p
  %v167 = load volatile float, ptr addrspace(1) %p
  %v168 = load volatile float, ptr addrspace(1) %p
  %v169 = load volatile float, ptr addrspace(1) %p
  %v170 = load volatile float, ptr addrspace(1) %p
  %v171 = load volatile float, ptr addrspace(1) %p
  %v172 = load volatile float, ptr addrspace(1) %p
  %v173 = load volatile float, ptr addrspace(1) %p
  %v174 = load volatile float, ptr addrspace(1) %p
  %v175 = load volatile float, ptr addrspace(1) %p
  %v176 = load volatile float, ptr addrspace(1) %p
  %v177 = load volatile float, ptr addrspace(1) %p
  %v178 = load volatile float, ptr addrspace(1) %p
  %v179 = load volatile float, ptr addrspace(1) %p
  %v180 = load volatile float, ptr addrspace(1) %p
  %v181 = load volatile float, ptr addrspace(1) %p
  %v182 = load volatile float, ptr addrspace(1) %p
  %v183 = load volatile float, ptr addrspace(1) %p
  %v184 = load volatile float, ptr addrspace(1) %p
  %v185 = load volatile float, ptr addrspace(1) %p
  %v186 = load volatile float, ptr addrspace(1) %p
  %v187 = load volatile float, ptr addrspace(1) %p
  %v188 = load volatile float, ptr addrspace(1) %p
  %v189 = load volatile float, ptr addrspace(1) %p
  %v190 = load volatile float, ptr addrspace(1) %p
  %v191 = load volatile float, ptr addrspace(1) %p
  %v192 = load volatile float, ptr addrspace(1) %p
  %v193 = load volatile float, ptr addrspace(1) %p
  %v194 = load volatile float, ptr addrspace(1) %p
  %v195 = load volatile float, ptr addrspace(1) %p
  %v196 = load volatile float, ptr addrspace(1) %p
  %v197 = load volatile float, ptr addrspace(1) %p
  %v198 = load volatile float, ptr addrspace(1) %p
  %v199 = load volatile float, ptr addrspace(1) %p
  %v200 = load volatile float, ptr addrspace(1) %p
  %v201 = load volatile float, ptr addrspace(1) %p
  %v202 = load volatile float, ptr addrspace(1) %p
  %v203 = load volatile float, ptr addrspace(1) %p
  %v204 = load volatile float, ptr addrspace(1) %p
  %v205 = load volatile float, ptr addrspace(1) %p
  %v206 = load volatile float, ptr addrspace(1) %p
  %v207 = load volatile float, ptr addrspace(1) %p
  %v208 = load volatile float, ptr addrspace(1) %p
  %v209 = load volatile float, ptr addrspace(1) %p
  %v210 = load volatile float, ptr addrspace(1) %p
  %v211 = load volatile float, ptr addrspace(1) %p
  %v212 = load volatile float, ptr addrspace(1) %p
  %v213 = load volatile float, ptr addrspace(1) %p
  %v214 = load volatile float, ptr addrspace(1) %p
  %v215 = load volatile float, ptr addrspace(1) %p
  %v216 = load volatile float, ptr addrspace(1) %p
  %v217 = load volatile float, ptr addrspace(1) %p
  %v218 = load volatile float, ptr addrspace(1) %p
  %v219 = load volatile float, ptr addrspace(1) %p
  %v220 = load volatile float, ptr addrspace(1) %p
  %v221 = load volatile float, ptr addrspace(1) %p
  %v222 = load volatile float, ptr addrspace(1) %p
  %v223 = load volatile float, ptr addrspace(1) %p
  %v224 = load volatile float, ptr addrspace(1) %p
  %v225 = load volatile float, ptr addrspace(1) %p
  %v226 = load volatile float, ptr addrspace(1) %p
  %v227 = load volatile float, ptr addrspace(1) %p
  %v228 = load volatile float, ptr addrspace(1) %p
  %v229 = load volatile float, ptr addrspace(1) %p
  %v230 = load volatile float, ptr addrspace(1) %p
  %v231 = load volatile float, ptr addrspace(1) %p
  %v232 = load volatile float, ptr addrspace(1) %p
  %v233 = load volatile float, ptr addrspace(1) %p
  %v234 = load volatile float, ptr addrspace(1) %p
  %v235 = load volatile float, ptr addrspace(1) %p
  %v236 = load volatile float, ptr addrspace(1) %p
  %v237 = load volatile float, ptr addrspace(1) %p
  %v238 = load volatile float, ptr addrspace(1) %p
  %v239 = load volatile float, ptr addrspace(1) %p
  %v240 = load volatile float, ptr addrspace(1) %p
  %v241 = load volatile float, ptr addrspace(1) %p
  %v242 = load volatile float, ptr addrspace(1) %p
  %v243 = load volatile float, ptr addrspace(1) %p
  %v244 = load volatile float, ptr addrspace(1) %p
  %v245 = load volatile float, ptr addrspace(1) %p
  %v246 = load volatile float, ptr addrspace(1) %p
  %v247 = load volatile float, ptr addrspace(1) %p
  %v248 = load volatile float, ptr addrspace(1) %p
  %v249 = load volatile float, ptr addrspace(1) %p
  %v250 = load volatile float, ptr addrspace(1) %p
  %v251 = load volatile float, ptr addrspace(1) %p
  %v252 = load volatile float, ptr addrspace(1) %p
  store volatile float %v0, ptr addrspace(1) %p
  store volatile float %v1, ptr addrspace(1) %p
  store volatile float %v2, ptr addrspace(1) %p
  store volatile float %v3, ptr addrspace(1) %p
  store volatile float %v4, ptr addrspace(1) %p
  store volatile float %v5, ptr addrspace(1) %p
  store volatile float %v6, ptr addrspace(1) %p
  store volatile float %v7, ptr addrspace(1) %p
  store volatile float %v8, ptr addrspace(1) %p
  store volatile float %v9, ptr addrspace(1) %p
  store volatile float %v10, ptr addrspace(1) %p
  store volatile float %v11, ptr addrspace(1) %p
  store volatile float %v12, ptr addrspace(1) %p
  store volatile float %v13, ptr addrspace(1) %p
  store volatile float %v14, ptr addrspace(1) %p
  store volatile float %v15, ptr addrspace(1) %p
  store volatile float %v16, ptr addrspace(1) %p
  store volatile float %v17, ptr addrspace(1) %p
  store volatile float %v18, ptr addrspace(1) %p
  store volatile float %v19, ptr addrspace(1) %p
  store volatile float %v20, ptr addrspace(1) %p
  store volatile float %v21, ptr addrspace(1) %p
  store volatile float %v22, ptr addrspace(1) %p
  store volatile float %v23, ptr addrspace(1) %p
  store volatile float %v24, ptr addrspace(1) %p
  store volatile float %v25, ptr addrspace(1) %p
  store volatile float %v26, ptr addrspace(1) %p
  store volatile float %v27, ptr addrspace(1) %p
  store volatile float %v28, ptr addrspace(1) %p
  store volatile float %v29, ptr addrspace(1) %p
  store volatile float %v30, ptr addrspace(1) %p
  store volatile float %v31, ptr addrspace(1) %p
  store volatile float %v32, ptr addrspace(1) %p
  store volatile float %v33, ptr addrspace(1) %p
  store volatile float %v34, ptr addrspace(1) %p
  store volatile float %v35, ptr addrspace(1) %p
  store volatile float %v36, ptr addrspace(1) %p
  store volatile float %v37, ptr addrspace(1) %p
  store volatile float %v38, ptr addrspace(1) %p
  store volatile float %v39, ptr addrspace(1) %p
  store volatile float %v40, ptr addrspace(1) %p
  store volatile float %v41, ptr addrspace(1) %p
  store volatile float %v42, ptr addrspace(1) %p
  store volatile float %v43, ptr addrspace(1) %p
  store volatile float %v44, ptr addrspace(1) %p
  store volatile float %v45, ptr addrspace(1) %p
  store volatile float %v46, ptr addrspace(1) %p
  store volatile float %v47, ptr addrspace(1) %p
  store volatile float %v48, ptr addrspace(1) %p
  store volatile float %v49, ptr addrspace(1) %p
  store volatile float %v50, ptr addrspace(1) %p
  store volatile float %v51, ptr addrspace(1) %p
  store volatile float %v52, ptr addrspace(1) %p
  store volatile float %v53, ptr addrspace(1) %p
  store volatile float %v54, ptr addrspace(1) %p
  store volatile float %v55, ptr addrspace(1) %p
  store volatile float %v56, ptr addrspace(1) %p
  store volatile float %v57, ptr addrspace(1) %p
  store volatile float %v58, ptr addrspace(1) %p
  store volatile float %v59, ptr addrspace(1) %p
  store volatile float %v60, ptr addrspace(1) %p
  store volatile float %v61, ptr addrspace(1) %p
  store volatile float %v62, ptr addrspace(1) %p
  store volatile float %v63, ptr addrspace(1) %p
  store volatile float %v64, ptr addrspace(1) %p
  store volatile float %v65, ptr addrspace(1) %p
  store volatile float %v66, ptr addrspace(1) %p
  store volatile float %v67, ptr addrspace(1) %p
  store volatile float %v68, ptr addrspace(1) %p
  store volatile float %v69, ptr addrspace(1) %p
  store volatile float %v70, ptr addrspace(1) %p
  store volatile float %v71, ptr addrspace(1) %p
  store volatile float %v72, ptr addrspace(1) %p
  store volatile float %v73, ptr addrspace(1) %p
  store volatile float %v74, ptr addrspace(1) %p
  store volatile float %v75, ptr addrspace(1) %p
  store volatile float %v76, ptr addrspace(1) %p
  store volatile float %v77, ptr addrspace(1) %p
  store volatile float %v78, ptr addrspace(1) %p
  store volatile float %v79, ptr addrspace(1) %p
  store volatile float %v80, ptr addrspace(1) %p
  store volatile float %v81, ptr addrspace(1) %p
  store volatile float %v82, ptr addrspace(1) %p
  store volatile float %v83, ptr addrspace(1) %p
  store volatile float %v84, ptr addrspace(1) %p
  store volatile float %v85, ptr addrspace(1) %p
  store volatile float %v86, ptr addrspace(1) %p
  store volatile float %v87, ptr addrspace(1) %p
  store volatile float %v88, ptr addrspace(1) %p
  store volatile float %v89, ptr addrspace(1) %p
  store volatile float %v90, ptr addrspace(1) %p
  store volatile float %v91, ptr addrspace(1) %p
  store volatile float %v92, ptr addrspace(1) %p
  store volatile float %v93, ptr addrspace(1) %p
  store volatile float %v94, ptr addrspace(1) %p
  store volatile float %v95, ptr addrspace(1) %p
  store volatile float %v96, ptr addrspace(1) %p
  store volatile float %v97, ptr addrspace(1) %p
  store volatile float %v98, ptr addrspace(1) %p
  store volatile float %v99, ptr addrspace(1) %p
  store volatile float %v100, ptr addrspace(1) %p
  store volatile float %v101, ptr addrspace(1) %p
  store volatile float %v102, ptr addrspace(1) %p
  store volatile float %v103, ptr addrspace(1) %p
  store volatile float %v104, ptr addrspace(1) %p
  store volatile float %v105, ptr addrspace(1) %p
  store volatile float %v106, ptr addrspace(1) %p
  store volatile float %v107, ptr addrspace(1) %p
  store volatile float %v108, ptr addrspace(1) %p
  store volatile float %v109, ptr addrspace(1) %p
  store volatile float %v110, ptr addrspace(1) %p
  store volatile float %v111, ptr addrspace(1) %p
  store volatile float %v112, ptr addrspace(1) %p
  store volatile float %v113, ptr addrspace(1) %p
  store volatile float %v114, ptr addrspace(1) %p
  store volatile float %v115, ptr addrspace(1) %p
  store volatile float %v116, ptr addrspace(1) %p
  store volatile float %v117, ptr addrspace(1) %p
  store volatile float %v118, ptr addrspace(1) %p
  store volatile float %v119, ptr addrspace(1) %p
  store volatile float %v120, ptr addrspace(1) %p
  store volatile float %v121, ptr addrspace(1) %p
  store volatile float %v122, ptr addrspace(1) %p
  store volatile float %v123, ptr addrspace(1) %p
  store volatile float %v124, ptr addrspace(1) %p
  store volatile float %v125, ptr addrspace(1) %p
  store volatile float %v126, ptr addrspace(1) %p
  store volatile float %v127, ptr addrspace(1) %p
  store volatile float %v128, ptr addrspace(1) %p
  store volatile float %v129, ptr addrspace(1) %p
  store volatile float %v130, ptr addrspace(1) %p
  store volatile float %v131, ptr addrspace(1) %p
  store volatile float %v132, ptr addrspace(1) %p
  store volatile float %v133, ptr addrspace(1) %p
  store volatile float %v134, ptr addrspace(1) %p
  store volatile float %v135, ptr addrspace(1) %p
  store volatile float %v136, ptr addrspace(1) %p
  store volatile float %v137, ptr addrspace(1) %p
  store volatile float %v138, ptr addrspace(1) %p
  store volatile float %v139, ptr addrspace(1) %p
  store volatile float %v140, ptr addrspace(1) %p
  store volatile float %v141, ptr addrspace(1) %p
  store volatile float %v142, ptr addrspace(1) %p
  store volatile float %v143, ptr addrspace(1) %p
  store volatile float %v144, ptr addrspace(1) %p
  store volatile float %v145, ptr addrspace(1) %p
  store volatile float %v146, ptr addrspace(1) %p
  store volatile float %v147, ptr addrspace(1) %p
  store volatile float %v148, ptr addrspace(1) %p
  store volatile float %v149, ptr addrspace(1) %p
  store volatile float %v150, ptr addrspace(1) %p
  store volatile float %v151, ptr addrspace(1) %p
  store volatile float %v152, ptr addrspace(1) %p
  store volatile float %v153, ptr addrspace(1) %p
  store volatile float %v154, ptr addrspace(1) %p
  store volatile float %v155, ptr addrspace(1) %p
  store volatile float %v156, ptr addrspace(1) %p
  store volatile float %v157, ptr addrspace(1) %p
  store volatile float %v158, ptr addrspace(1) %p
  store volatile float %v159, ptr addrspace(1) %p
  store volatile float %v160, ptr addrspace(1) %p
  store volatile float %v161, ptr addrspace(1) %p
  store volatile float %v162, ptr addrspace(1) %p
  store volatile float %v163, ptr addrspace(1) %p
  store volatile float %v164, ptr addrspace(1) %p
  store volatile float %v165, ptr addrspace(1) %p
  store volatile float %v166, ptr addrspace(1) %p
  store volatile float %v167, ptr addrspace(1) %p
  store volatile float %v168, ptr addrspace(1) %p
  store volatile float %v169, ptr addrspace(1) %p
  store volatile float %v170, ptr addrspace(1) %p
  store volatile float %v171, ptr addrspace(1) %p
  store volatile float %v172, ptr addrspace(1) %p
  store volatile float %v173, ptr addrspace(1) %p
  store volatile float %v174, ptr addrspace(1) %p
  store volatile float %v175, ptr addrspace(1) %p
  store volatile float %v176, ptr addrspace(1) %p
  store volatile float %v177, ptr addrspace(1) %p
  store volatile float %v178, ptr addrspace(1) %p
  store volatile float %v179, ptr addrspace(1) %p
  store volatile float %v180, ptr addrspace(1) %p
  store volatile float %v181, ptr addrspace(1) %p
  store volatile float %v182, ptr addrspace(1) %p
  store volatile float %v183, ptr addrspace(1) %p
  store volatile float %v184, ptr addrspace(1) %p
  store volatile float %v185, ptr addrspace(1) %p
  store volatile float %v186, ptr addrspace(1) %p
  store volatile float %v187, ptr addrspace(1) %p
  store volatile float %v188, ptr addrspace(1) %p
  store volatile float %v189, ptr addrspace(1) %p
  store volatile float %v190, ptr addrspace(1) %p
  store volatile float %v191, ptr addrspace(1) %p
  store volatile float %v192, ptr addrspace(1) %p
  store volatile float %v193, ptr addrspace(1) %p
  store volatile float %v194, ptr addrspace(1) %p
  store volatile float %v195, ptr addrspace(1) %p
  store volatile float %v196, ptr addrspace(1) %p
  store volatile float %v197, ptr addrspace(1) %p
  store volatile float %v198, ptr addrspace(1) %p
  store volatile float %v199, ptr addrspace(1) %p
  store volatile float %v200, ptr addrspace(1) %p
  store volatile float %v201, ptr addrspace(1) %p
  store volatile float %v202, ptr addrspace(1) %p
  store volatile float %v203, ptr addrspace(1) %p
  store volatile float %v204, ptr addrspace(1) %p
  store volatile float %v205, ptr addrspace(1) %p
  store volatile float %v206, ptr addrspace(1) %p
  store volatile float %v207, ptr addrspace(1) %p
  store volatile float %v208, ptr addrspace(1) %p
  store volatile float %v209, ptr addrspace(1) %p
  store volatile float %v210, ptr addrspace(1) %p
  store volatile float %v211, ptr addrspace(1) %p
  store volatile float %v212, ptr addrspace(1) %p
  store volatile float %v213, ptr addrspace(1) %p
  store volatile float %v214, ptr addrspace(1) %p
  store volatile float %v215, ptr addrspace(1) %p
  store volatile float %v216, ptr addrspace(1) %p
  store volatile float %v217, ptr addrspace(1) %p
  store volatile float %v218, ptr addrspace(1) %p
  store volatile float %v219, ptr addrspace(1) %p
  store volatile float %v220, ptr addrspace(1) %p
  store volatile float %v221, ptr addrspace(1) %p
  store volatile float %v222, ptr addrspace(1) %p
  store volatile float %v223, ptr addrspace(1) %p
  store volatile float %v224, ptr addrspace(1) %p
  store volatile float %v225, ptr addrspace(1) %p
  store volatile float %v226, ptr addrspace(1) %p
  store volatile float %v227, ptr addrspace(1) %p
  store volatile float %v228, ptr addrspace(1) %p
  store volatile float %v229, ptr addrspace(1) %p
  store volatile float %v230, ptr addrspace(1) %p
  store volatile float %v231, ptr addrspace(1) %p
  store volatile float %v232, ptr addrspace(1) %p
  store volatile float %v233, ptr addrspace(1) %p
  store volatile float %v234, ptr addrspace(1) %p
  store volatile float %v235, ptr addrspace(1) %p
  store volatile float %v236, ptr addrspace(1) %p
  store volatile float %v237, ptr addrspace(1) %p
  store volatile float %v238, ptr addrspace(1) %p
  store volatile float %v239, ptr addrspace(1) %p
  store volatile float %v240, ptr addrspace(1) %p
  store volatile float %v241, ptr addrspace(1) %p
  store volatile float %v242, ptr addrspace(1) %p
  store volatile float %v243, ptr addrspace(1) %p
  store volatile float %v244, ptr addrspace(1) %p
  store volatile float %v245, ptr addrspace(1) %p
  store volatile float %v246, ptr addrspace(1) %p
  store volatile float %v247, ptr addrspace(1) %p
  store volatile float %v248, ptr addrspace(1) %p
  store volatile float %v249, ptr addrspace(1) %p
  store volatile float %v250, ptr addrspace(1) %p
  store volatile float %v251, ptr addrspace(1) %p
  store volatile float %v252, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @spills(ptr addrspace(1) %p) {
  %v0 = load volatile float, ptr addrspace(1) %p
  %v1 = load volatile float, ptr addrspace(1) %p
  %v2 = load volatile float, ptr addrspace(1) %p
  %v3 = load volatile float, ptr addrspace(1) %p
  %v4 = load volatile float, ptr addrspace(1) %p
  %v5 = load volatile float, ptr addrspace(1) %p
  %v6 = load volatile float, ptr addrspace(1) %p
  %v7 = load volatile float, ptr addrspace(1) %p
  %v8 = load volatile float, ptr addrspace(1) %p
  %v9 = load volatile float, ptr addrspace(1) %p
  %v10 = load volatile float, ptr addrspace(1) %p
  %v11 = load volatile float, ptr addrspace(1) %p
  %v12 = load volatile float, ptr addrspace(1) %p
  %v13 = load volatile float, ptr addrspace(1) %p
  %v14 = load volatile float, ptr addrspace(1) %p
  %v15 = load volatile float, ptr addrspace(1) %p
  %v16 = load volatile float, ptr addrspace(1) %p
  %v17 = load volatile float, ptr addrspace(1) %p
  %v18 = load volatile float, ptr addrspace(1) %p
  %v19 = load volatile float, ptr addrspace(1) %p
  %v20 = load volatile float, ptr addrspace(1) %p
  %v21 = load volatile float, ptr addrspace(1) %p
  %v22 = load volatile float, ptr addrspace(1) %p
  %v23 = load volatile float, ptr addrspace(1) %p
  %v24 = load volatile float, ptr addrspace(1) %p
  %v25 = load volatile float, ptr addrspace(1) %p
  %v26 = load volatile float, ptr addrspace(1) %p
  %v27 = load volatile float, ptr addrspace(1) %p
  %v28 = load volatile float, ptr addrspace(1) %p
  %v29 = load volatile float, ptr addrspace(1) %p
  %v30 = load volatile float, ptr addrspace(1) %p
  %v31 = load volatile float, ptr addrspace(1) %p
  %v32 = load volatile float, ptr addrspace(1) %p
  %v33 = load volatile float, ptr addrspace(1) %p
  %v34 = load volatile float, ptr addrspace(1) %p
  %v35 = load volatile float, ptr addrspace(1) %p
  %v36 = load volatile float, ptr addrspace(1) %p
  %v37 = load volatile float, ptr addrspace(1) %p
  %v38 = load volatile float, ptr addrspace(1) %p
  %v39 = load volatile float, ptr addrspace(1) %p
  %v40 = load volatile float, ptr addrspace(1) %p
  %v41 = load volatile float, ptr addrspace(1) %p
  %v42 = load volatile float, ptr addrspace(1) %p
  %v43 = load volatile float, ptr addrspace(1) %p
  %v44 = load volatile float, ptr addrspace(1) %p
  %v45 = load volatile float, ptr addrspace(1) %p
  %v46 = load volatile float, ptr addrspace(1) %p
  %v47 = load volatile float, ptr addrspace(1) %p
  %v48 = load volatile float, ptr addrspace(1) %p
  %v49 = load volatile float, ptr addrspace(1) %p
  %v50 = load volatile float, ptr addrspace(1) %p
  %v51 = load volatile float, ptr addrspace(1) %p
  %v52 = load volatile float, ptr addrspace(1) %p
  %v53 = load volatile float, ptr addrspace(1) %p
  %v54 = load volatile float, ptr addrspace(1) %p
  %v55 = load volatile float, ptr addrspace(1) %p
  %v56 = load volatile float, ptr addrspace(1) %p
  %v57 = load volatile float, ptr addrspace(1) %p
  %v58 = load volatile float, ptr addrspace(1) %p
  %v59 = load volatile float, ptr addrspace(1) %p
  %v60 = load volatile float, ptr addrspace(1) %p
  %v61 = load volatile float, ptr addrspace(1) %p
  %v62 = load volatile float, ptr addrspace(1) %p
  %v63 = load volatile float, ptr addrspace(1) %p
  %v64 = load volatile float, ptr addrspace(1) %p
  %v65 = load volatile float, ptr addrspace(1) %p
  %v66 = load volatile float, ptr addrspace(1) %p
  %v67 = load volatile float, ptr addrspace(1) %p
  %v68 = load volatile float, ptr addrspace(1) %p
  %v69 = load volatile float, ptr addrspace(1) %p
  %v70 = load volatile float, ptr addrspace(1) %p
  %v71 = load volatile float, ptr addrspace(1) %p
  %v72 = load volatile float, ptr addrspace(1) %p
  %v73 = load volatile float, ptr addrspace(1) %p
  %v74 = load volatile float, ptr addrspace(1) %p
  %v75 = load volatile float, ptr addrspace(1) %p
  %v76 = load volatile float, ptr addrspace(1) %p
  %v77 = load volatile float, ptr addrspace(1) %p
  %v78 = load volatile float, ptr addrspace(1) %p
  %v79 = load volatile float, ptr addrspace(1) %p
  %v80 = load volatile float, ptr addrspace(1) %p
  %v81 = load volatile float, ptr addrspace(1) %p
  %v82 = load volatile float, ptr addrspace(1) %p
  %v83 = load volatile float, ptr addrspace(1) %p
  %v84 = load volatile float, ptr addrspace(1) %p
  %v85 = load volatile float, ptr addrspace(1) %p
  %v86 = load volatile float, ptr addrspace(1) %p
  %v87 = load volatile float, ptr addrspace(1) %p
  %v88 = load volatile float, ptr addrspace(1) %p
  %v89 = load volatile float, ptr addrspace(1) %p
  %v90 = load volatile float, ptr addrspace(1) %p
  %v91 = load volatile float, ptr addrspace(1) %p
  %v92 = load volatile float, ptr addrspace(1) %p
  %v93 = load volatile float, ptr addrspace(1) %p
  %v94 = load volatile float, ptr addrspace(1) %p
  %v95 = load volatile float, ptr addrspace(1) %p
  %v96 = load volatile float, ptr addrspace(1) %p
  %v97 = load volatile float, ptr addrspace(1) %p
  %v98 = load volatile float, ptr addrspace(1) %p
  %v99 = load volatile float, ptr addrspace(1) %p
  %v100 = load volatile float, ptr addrspace(1) %p
  %v101 = load volatile float, ptr addrspace(1) %p
  %v102 = load volatile float, ptr addrspace(1) %p
  %v103 = load volatile float, ptr addrspace(1) %p
  %v104 = load volatile float, ptr addrspace(1) %p
  %v105 = load volatile float, ptr addrspace(1) %p
  %v106 = load volatile float, ptr addrspace(1) %p
  %v107 = load volatile float, ptr addrspace(1) %p
  %v108 = load volatile float, ptr addrspace(1) %p
  %v109 = load volatile float, ptr addrspace(1) %p
  %v110 = load volatile float, ptr addrspace(1) %p
  %v111 = load volatile float, ptr addrspace(1) %p
  %v112 = load volatile float, ptr addrspace(1) %p
  %v113 = load volatile float, ptr addrspace(1) %p
  %v114 = load volatile float, ptr addrspace(1) %p
  %v115 = load volatile float, ptr addrspace(1) %p
  %v116 = load volatile float, ptr addrspace(1) %p
  %v117 = load volatile float, ptr addrspace(1) %p
  %v118 = load volatile float, ptr addrspace(1) %p
  %v119 = load volatile float, ptr addrspace(1) %p
  %v120 = load volatile float, ptr addrspace(1) %p
  %v121 = load volatile float, ptr addrspace(1) %p
  %v122 = load volatile float, ptr addrspace(1) %p
  %v123 = load volatile float, ptr addrspace(1) %p
  %v124 = load volatile float, ptr addrspace(1) %p
  %v125 = load volatile float, ptr addrspace(1) %p
  %v126 = load volatile float, ptr addrspace(1) %p
  %v127 = load volatile float, ptr addrspace(1) %p
  %v128 = load volatile float, ptr addrspace(1) %p
  %v129 = load volatile float, ptr addrspace(1) %p
  %v130 = load volatile float, ptr addrspace(1) %p
  %v131 = load volatile float, ptr addrspace(1) %p
  %v132 = load volatile float, ptr addrspace(1) %p
  %v133 = load volatile float, ptr addrspace(1) %p
  %v134 = load volatile float, ptr addrspace(1) %p
  %v135 = load volatile float, ptr addrspace(1) %p
  %v136 = load volatile float, ptr addrspace(1) %p
  %v137 = load volatile float, ptr addrspace(1) %p
  %v138 = load volatile float, ptr addrspace(1) %p
  %v139 = load volatile float, ptr addrspace(1) %p
  %v140 = load volatile float, ptr addrspace(1) %p
  %v141 = load volatile float, ptr addrspace(1) %p
  %v142 = load volatile float, ptr addrspace(1) %p
  %v143 = load volatile float, ptr addrspace(1) %p
  %v144 = load volatile float, ptr addrspace(1) %p
  %v145 = load volatile float, ptr addrspace(1) %p
  %v146 = load volatile float, ptr addrspace(1) %p
  %v147 = load volatile float, ptr addrspace(1) %p
  %v148 = load volatile float, ptr addrspace(1) %p
  %v149 = load volatile float, ptr addrspace(1) %p
  %v150 = load volatile float, ptr addrspace(1) %p
  %v151 = load volatile float, ptr addrspace(1) %p
  %v152 = load volatile float, ptr addrspace(1) %p
  %v153 = load volatile float, ptr addrspace(1) %p
  %v154 = load volatile float, ptr addrspace(1) %p
  %v155 = load volatile float, ptr addrspace(1) %p
  %v156 = load volatile float, ptr addrspace(1) %p
  %v157 = load volatile float, ptr addrspace(1) %p
  %v158 = load volatile float, ptr addrspace(1) %p
  %v159 = load volatile float, ptr addrspace(1) %p
  %v160 = load volatile float, ptr addrspace(1) %p
  %v161 = load volatile float, ptr addrspace(1) %p
  %v162 = load volatile float, ptr addrspace(1) %p
  %v163 = load volatile float, ptr addrspace(1) %p
  %v164 = load volatile float, ptr addrspace(1) %p
  %v165 = load volatile float, ptr addrspace(1) %p
  %v166 = load volatile float, ptr addrspace(1) %p
  %v167 = load volatile float, ptr addrspace(1) %p
  %v168 = load volatile float, ptr addrspace(1) %p
  %v169 = load volatile float, ptr addrspace(1) %p
  %v170 = load volatile float, ptr addrspace(1) %p
  %v171 = load volatile float, ptr addrspace(1) %p
  %v172 = load volatile float, ptr addrspace(1) %p
  %v173 = load volatile float, ptr addrspace(1) %p
  %v174 = load volatile float, ptr addrspace(1) %p
  %v175 = load volatile float, ptr addrspace(1) %p
  %v176 = load volatile float, ptr addrspace(1) %p
  %v177 = load volatile float, ptr addrspace(1) %p
  %v178 = load volatile float, ptr addrspace(1) %p
  %v179 = load volatile float, ptr addrspace(1) %p
  %v180 = load volatile float, ptr addrspace(1) %p
  %v181 = load volatile float, ptr addrspace(1) %p
  %v182 = load volatile float, ptr addrspace(1) %p
  %v183 = load volatile float, ptr addrspace(1) %p
  %v184 = load volatile float, ptr addrspace(1) %p
  %v185 = load volatile float, ptr addrspace(1) %p
  %v186 = load volatile float, ptr addrspace(1) %p
  %v187 = load volatile float, ptr addrspace(1) %p
  %v188 = load volatile float, ptr addrspace(1) %p
  %v189 = load volatile float, ptr addrspace(1) %p
  %v190 = load volatile float, ptr addrspace(1) %p
  %v191 = load volatile float, ptr addrspace(1) %p
  %v192 = load volatile float, ptr addrspace(1) %p
  %v193 = load volatile float, ptr addrspace(1) %p
  %v194 = load volatile float, ptr addrspace(1) %p
  %v195 = load volatile float, ptr addrspace(1) %p
  %v196 = load volatile float, ptr addrspace(1) %p
  %v197 = load volatile float, ptr addrspace(1) %p
  %v198 = load volatile float, ptr addrspace(1) %p
  %v199 = load volatile float, ptr addrspace(1) %p
  %v200 = load volatile float, ptr addrspace(1) %p
  %v201 = load volatile float, ptr addrspace(1) %p
  %v202 = load volatile float, ptr addrspace(1) %p
  %v203 = load volatile float, ptr addrspace(1) %p
  %v204 = load volatile float, ptr addrspace(1) %p
  %v205 = load volatile float, ptr addrspace(1) %p
  %v206 = load volatile float, ptr addrspace(1) %p
  %v207 = load volatile float, ptr addrspace(1) %p
  %v208 = load volatile float, ptr addrspace(1) %p
  %v209 = load volatile float, ptr addrspace(1) %p
  %v210 = load volatile float, ptr addrspace(1) %p
  %v211 = load volatile float, ptr addrspace(1) %p
  %v212 = load volatile float, ptr addrspace(1) %p
  %v213 = load volatile float, ptr addrspace(1) %p
  %v214 = load volatile float, ptr addrspace(1) %p
  %v215 = load volatile float, ptr addrspace(1) %p
  %v216 = load volatile float, ptr addrspace(1) %p
  %v217 = load volatile float, ptr addrspace(1) %p
  %v218 = load volatile float, ptr addrspace(1) %p
  %v219 = load volatile float, ptr addrspace(1) %p
  %v220 = load volatile float, ptr addrspace(1) %p
  %v221 = load volatile float, ptr addrspace(1) %p
  %v222 = load volatile float, ptr addrspace(1) %p
  %v223 = load volatile float, ptr addrspace(1) %p
  %v224 = load volatile float, ptr addrspace(1) %p
  %v225 = load volatile float, ptr addrspace(1) %p
  %v226 = load volatile float, ptr addrspace(1) %p
  %v227 = load volatile float, ptr addrspace(1) %p
  %v228 = load volatile float, ptr addrspace(1) %p
  %v229 = load volatile float, ptr addrspace(1) %p
  %v230 = load volatile float, ptr addrspace(1) %p
  %v231 = load volatile float, ptr addrspace(1) %p
  %v232 = load volatile float, ptr addrspace(1) %p
  %v233 = load volatile float, ptr addrspace(1) %p
  %v234 = load volatile float, ptr addrspace(1) %p
  %v235 = load volatile float, ptr addrspace(1) %p
  %v236 = load volatile float, ptr addrspace(1) %p
  %v237 = load volatile float, ptr addrspace(1) %p
  %v238 = load volatile float, ptr addrspace(1) %p
  %v239 = load volatile float, ptr addrspace(1) %p
  %v240 = load volatile float, ptr addrspace(1) %p
  %v241 = load volatile float, ptr addrspace(1) %p
  %v242 = load volatile float, ptr addrspace(1) %p
  %v243 = load volatile float, ptr addrspace(1) %p
  %v244 = load volatile float, ptr addrspace(1) %p
  %v245 = load volatile float, ptr addrspace(1) %p
  %v246 = load volatile float, ptr addrspace(1) %p
  %v247 = load volatile float, ptr addrspace(1) %p
  %v248 = load volatile float, ptr addrspace(1) %p
  %v249 = load volatile float, ptr addrspace(1) %p
  %v250 = load volatile float, ptr addrspace(1) %p
  %v251 = load volatile float, ptr addrspace(1) %p
  %v252 = load volatile float, ptr addrspace(1) %p
  %v253 = load volatile float, ptr addrspace(1) %p
  %v254 = load volatile float, ptr addrspace(1) %p
  %v255 = load volatile float, ptr addrspace(1) %p
  %v256 = load volatile float, ptr addrspace(1) %p
  %v257 = load volatile float, ptr addrspace(1) %p
  %v258 = load volatile float, ptr addrspace(1) %p
  %v259 = load volatile float, ptr addrspace(1) %p
  %v260 = load volatile float, ptr addrspace(1) %p
  %v261 = load volatile float, ptr addrspace(1) %p
  %v262 = load volatile float, ptr addrspace(1) %p
  %v263 = load volatile float, ptr addrspace(1) %p
  %v264 = load volatile float, ptr addrspace(1) %p
  %v265 = load volatile float, ptr addrspace(1) %p
  %v266 = load volatile float, ptr addrspace(1) %p
  %v267 = load volatile float, ptr addrspace(1) %p
  %v268 = load volatile float, ptr addrspace(1) %p
  %v269 = load volatile float, ptr addrspace(1) %p
  %v270 = load volatile float, ptr addrspace(1) %p
  %v271 = load volatile float, ptr addrspace(1) %p
  %v272 = load volatile float, ptr addrspace(1) %p
  %v273 = load volatile float, ptr addrspace(1) %p
  %v274 = load volatile float, ptr addrspace(1) %p
  %v275 = load volatile float, ptr addrspace(1) %p
  %v276 = load volatile float, ptr addrspace(1) %p
  %v277 = load volatile float, ptr addrspace(1) %p
  %v278 = load volatile float, ptr addrspace(1) %p
  %v279 = load volatile float, ptr addrspace(1) %p
  %v280 = load volatile float, ptr addrspace(1) %p
  %v281 = load volatile float, ptr addrspace(1) %p
  %v282 = load volatile float, ptr addrspace(1) %p
  %v283 = load volatile float, ptr addrspace(1) %p
  %v284 = load volatile float, ptr addrspace(1) %p
  %v285 = load volatile float, ptr addrspace(1) %p
  %v286 = load volatile float, ptr addrspace(1) %p
  %v287 = load volatile float, ptr addrspace(1) %p
  %v288 = load volatile float, ptr addrspace(1) %p
  %v289 = load volatile float, ptr addrspace(1) %p
  %v290 = load volatile float, ptr addrspace(1) %p
  %v291 = load volatile float, ptr addrspace(1) %p
  %v292 = load volatile float, ptr addrspace(1) %p
  %v293 = load volatile float, ptr addrspace(1) %p
  %v294 = load volatile float, ptr addrspace(1) %p
  %v295 = load volatile float, ptr addrspace(1) %p
  %v296 = load volatile float, ptr addrspace(1) %p
  %v297 = load volatile float, ptr addrspace(1) %p
  %v298 = load volatile float, ptr addrspace(1) %p
  %v299 = load volatile float, ptr addrspace(1) %p
  store volatile float %v0, ptr addrspace(1) %p
  store volatile float %v1, ptr addrspace(1) %p
  store volatile float %v2, ptr addrspace(1) %p
  store volatile float %v3, ptr addrspace(1) %p
  store volatile float %v4, ptr addrspace(1) %p
  store volatile float %v5, ptr addrspace(1) %p
  store volatile float %v6, ptr addrspace(1) %p
  store volatile float %v7, ptr addrspace(1) %p
  store volatile float %v8, ptr addrspace(1) %p
  store volatile float %v9, ptr addrspace(1) %p
  store volatile float %v10, ptr addrspace(1) %p
  store volatile float %v11, ptr addrspace(1) %p
  store volatile float %v12, ptr addrspace(1) %p
  store volatile float %v13, ptr addrspace(1) %p
  store volatile float %v14, ptr addrspace(1) %p
  store volatile float %v15, ptr addrspace(1) %p
  store volatile float %v16, ptr addrspace(1) %p
  store volatile float %v17, ptr addrspace(1) %p
  store volatile float %v18, ptr addrspace(1) %p
  store volatile float %v19, ptr addrspace(1) %p
  store volatile float %v20, ptr addrspace(1) %p
  store volatile float %v21, ptr addrspace(1) %p
  store volatile float %v22, ptr addrspace(1) %p
  store volatile float %v23, ptr addrspace(1) %p
  store volatile float %v24, ptr addrspace(1) %p
  store volatile float %v25, ptr addrspace(1) %p
  store volatile float %v26, ptr addrspace(1) %p
  store volatile float %v27, ptr addrspace(1) %p
  store volatile float %v28, ptr addrspace(1) %p
  store volatile float %v29, ptr addrspace(1) %p
  store volatile float %v30, ptr addrspace(1) %p
  store volatile float %v31, ptr addrspace(1) %p
  store volatile float %v32, ptr addrspace(1) %p
  store volatile float %v33, ptr addrspace(1) %p
  store volatile float %v34, ptr addrspace(1) %p
  store volatile float %v35, ptr addrspace(1) %p
  store volatile float %v36, ptr addrspace(1) %p
  store volatile float %v37, ptr addrspace(1) %p
  store volatile float %v38, ptr addrspace(1) %p
  store volatile float %v39, ptr addrspace(1) %p
  store volatile float %v40, ptr addrspace(1) %p
  store volatile float %v41, ptr addrspace(1) %p
  store volatile float %v42, ptr addrspace(1) %p
  store volatile float %v43, ptr addrspace(1) %p
  store volatile float %v44, ptr addrspace(1) %p
  store volatile float %v45, ptr addrspace(1) %p
  store volatile float %v46, ptr addrspace(1) %p
  store volatile float %v47, ptr addrspace(1) %p
  store volatile float %v48, ptr addrspace(1) %p
  store volatile float %v49, ptr addrspace(1) %p
  store volatile float %v50, ptr addrspace(1) %p
  store volatile float %v51, ptr addrspace(1) %p
  store volatile float %v52, ptr addrspace(1) %p
  store volatile float %v53, ptr addrspace(1) %p
  store volatile float %v54, ptr addrspace(1) %p
  store volatile float %v55, ptr addrspace(1) %p
  store volatile float %v56, ptr addrspace(1) %p
  store volatile float %v57, ptr addrspace(1) %p
  store volatile float %v58, ptr addrspace(1) %p
  store volatile float %v59, ptr addrspace(1) %p
  store volatile float %v60, ptr addrspace(1) %p
  store volatile float %v61, ptr addrspace(1) %p
  store volatile float %v62, ptr addrspace(1) %p
  store volatile float %v63, ptr addrspace(1) %p
  store volatile float %v64, ptr addrspace(1) %p
  store volatile float %v65, ptr addrspace(1) %p
  store volatile float %v66, ptr addrspace(1) %p
  store volatile float %v67, ptr addrspace(1) %p
  store volatile float %v68, ptr addrspace(1) %p
  store volatile float %v69, ptr addrspace(1) %p
  store volatile float %v70, ptr addrspace(1) %p
  store volatile float %v71, ptr addrspace(1) %p
  store volatile float %v72, ptr addrspace(1) %p
  store volatile float %v73, ptr addrspace(1) %p
  store volatile float %v74, ptr addrspace(1) %p
  store volatile float %v75, ptr addrspace(1) %p
  store volatile float %v76, ptr addrspace(1) %p
  store volatile float %v77, ptr addrspace(1) %p
  store volatile float %v78, ptr addrspace(1) %p
  store volatile float %v79, ptr addrspace(1) %p
  store volatile float %v80, ptr addrspace(1) %p
  store volatile float %v81, ptr addrspace(1) %p
  store volatile float %v82, ptr addrspace(1) %p
  store volatile float %v83, ptr addrspace(1) %p
  store volatile float %v84, ptr addrspace(1) %p
  store volatile float %v85, ptr addrspace(1) %p
  store volatile float %v86, ptr addrspace(1) %p
  store volatile float %v87, ptr addrspace(1) %p
  store volatile float %v88, ptr addrspace(1) %p
  store volatile float %v89, ptr addrspace(1) %p
  store volatile float %v90, ptr addrspace(1) %p
  store volatile float %v91, ptr addrspace(1) %p
  store volatile float %v92, ptr addrspace(1) %p
  store volatile float %v93, ptr addrspace(1) %p
  store volatile float %v94, ptr addrspace(1) %p
  store volatile float %v95, ptr addrspace(1) %p
  store volatile float %v96, ptr addrspace(1) %p
  store volatile float %v97, ptr addrspace(1) %p
  store volatile float %v98, ptr addrspace(1) %p
  store volatile float %v99, ptr addrspace(1) %p
  store volatile float %v100, ptr addrspace(1) %p
  store volatile float %v101, ptr addrspace(1) %p
  store volatile float %v102, ptr addrspace(1) %p
  store volatile float %v103, ptr addrspace(1) %p
  store volatile float %v104, ptr addrspace(1) %p
  store volatile float %v105, ptr addrspace(1) %p
  store volatile float %v106, ptr addrspace(1) %p
  store volatile float %v107, ptr addrspace(1) %p
  store volatile float %v108, ptr addrspace(1) %p
  store volatile float %v109, ptr addrspace(1) %p
  store volatile float %v110, ptr addrspace(1) %p
  store volatile float %v111, ptr addrspace(1) %p
  store volatile float %v112, ptr addrspace(1) %p
  store volatile float %v113, ptr addrspace(1) %p
  store volatile float %v114, ptr addrspace(1) %p
  store volatile float %v115, ptr addrspace(1) %p
  store volatile float %v116, ptr addrspace(1) %p
  store volatile float %v117, ptr addrspace(1) %p
  store volatile float %v118, ptr addrspace(1) %p
  store volatile float %v119, ptr addrspace(1) %p
  store volatile float %v120, ptr addrspace(1) %p
  store volatile float %v121, ptr addrspace(1) %p
  store volatile float %v122, ptr addrspace(1) %p
  store volatile float %v123, ptr addrspace(1) %p
  store volatile float %v124, ptr addrspace(1) %p
  store volatile float %v125, ptr addrspace(1) %p
  store volatile float %v126, ptr addrspace(1) %p
  store volatile float %v127, ptr addrspace(1) %p
  store volatile float %v128, ptr addrspace(1) %p
  store volatile float %v129, ptr addrspace(1) %p
  store volatile float %v130, ptr addrspace(1) %p
  store volatile float %v131, ptr addrspace(1) %p
  store volatile float %v132, ptr addrspace(1) %p
  store volatile float %v133, ptr addrspace(1) %p
  store volatile float %v134, ptr addrspace(1) %p
  store volatile float %v135, ptr addrspace(1) %p
  store volatile float %v136, ptr addrspace(1) %p
  store volatile float %v137, ptr addrspace(1) %p
  store volatile float %v138, ptr addrspace(1) %p
  store volatile float %v139, ptr addrspace(1) %p
  store volatile float %v140, ptr addrspace(1) %p
  store volatile float %v141, ptr addrspace(1) %p
  store volatile float %v142, ptr addrspace(1) %p
  store volatile float %v143, ptr addrspace(1) %p
  store volatile float %v144, ptr addrspace(1) %p
  store volatile float %v145, ptr addrspace(1) %p
  store volatile float %v146, ptr addrspace(1) %p
  store volatile float %v147, ptr addrspace(1) %p
  store volatile float %v148, ptr addrspace(1) %p
  store volatile float %v149, ptr addrspace(1) %p
  store volatile float %v150, ptr addrspace(1) %p
  store volatile float %v151, ptr addrspace(1) %p
  store volatile float %v152, ptr addrspace(1) %p
  store volatile float %v153, ptr addrspace(1) %p
  store volatile float %v154, ptr addrspace(1) %p
  store volatile float %v155, ptr addrspace(1) %p
  store volatile float %v156, ptr addrspace(1) %p
  store volatile float %v157, ptr addrspace(1) %p
  store volatile float %v158, ptr addrspace(1) %p
  store volatile float %v159, ptr addrspace(1) %p
  store volatile float %v160, ptr addrspace(1) %p
  store volatile float %v161, ptr addrspace(1) %p
  store volatile float %v162, ptr addrspace(1) %p
  store volatile float %v163, ptr addrspace(1) %p
  store volatile float %v164, ptr addrspace(1) %p
  store volatile float %v165, ptr addrspace(1) %p
  store volatile float %v166, ptr addrspace(1) %p
  store volatile float %v167, ptr addrspace(1) %p
  store volatile float %v168, ptr addrspace(1) %p
  store volatile float %v169, ptr addrspace(1) %p
  store volatile float %v170, ptr addrspace(1) %p
  store volatile float %v171, ptr addrspace(1) %p
  store volatile float %v172, ptr addrspace(1) %p
  store volatile float %v173, ptr addrspace(1) %p
  store volatile float %v174, ptr addrspace(1) %p
  store volatile float %v175, ptr addrspace(1) %p
  store volatile float %v176, ptr addrspace(1) %p
  store volatile float %v177, ptr addrspace(1) %p
  store volatile float %v178, ptr addrspace(1) %p
  store volatile float %v179, ptr addrspace(1) %p
  store volatile float %v180, ptr addrspace(1) %p
  store volatile float %v181, ptr addrspace(1) %p
  store volatile float %v182, ptr addrspace(1) %p
  store volatile float %v183, ptr addrspace(1) %p
  store volatile float %v184, ptr addrspace(1) %p
  store volatile float %v185, ptr addrspace(1) %p
  store volatile float %v186, ptr addrspace(1) %p
  store volatile float %v187, ptr addrspace(1) %p
  store volatile float %v188, ptr addrspace(1) %p
  store volatile float %v189, ptr addrspace(1) %p
  store volatile float %v190, ptr addrspace(1) %p
  store volatile float %v191, ptr addrspace(1) %p
  store volatile float %v192, ptr addrspace(1) %p
  store volatile float %v193, ptr addrspace(1) %p
  store volatile float %v194, ptr addrspace(1) %p
  store volatile float %v195, ptr addrspace(1) %p
  store volatile float %v196, ptr addrspace(1) %p
  store volatile float %v197, ptr addrspace(1) %p
  store volatile float %v198, ptr addrspace(1) %p
  store volatile float %v199, ptr addrspace(1) %p
  store volatile float %v200, ptr addrspace(1) %p
  store volatile float %v201, ptr addrspace(1) %p
  store volatile float %v202, ptr addrspace(1) %p
  store volatile float %v203, ptr addrspace(1) %p
  store volatile float %v204, ptr addrspace(1) %p
  store volatile float %v205, ptr addrspace(1) %p
  store volatile float %v206, ptr addrspace(1) %p
  store volatile float %v207, ptr addrspace(1) %p
  store volatile float %v208, ptr addrspace(1) %p
  store volatile float %v209, ptr addrspace(1) %p
  store volatile float %v210, ptr addrspace(1) %p
  store volatile float %v211, ptr addrspace(1) %p
  store volatile float %v212, ptr addrspace(1) %p
  store volatile float %v213, ptr addrspace(1) %p
  store volatile float %v214, ptr addrspace(1) %p
  store volatile float %v215, ptr addrspace(1) %p
  store volatile float %v216, ptr addrspace(1) %p
  store volatile float %v217, ptr addrspace(1) %p
  store volatile float %v218, ptr addrspace(1) %p
  store volatile float %v219, ptr addrspace(1) %p
  store volatile float %v220, ptr addrspace(1) %p
  store volatile float %v221, ptr addrspace(1) %p
  store volatile float %v222, ptr addrspace(1) %p
  store volatile float %v223, ptr addrspace(1) %p
  store volatile float %v224, ptr addrspace(1) %p
  store volatile float %v225, ptr addrspace(1) %p
  store volatile float %v226, ptr addrspace(1) %p
  store volatile float %v227, ptr addrspace(1) %p
  store volatile float %v228, ptr addrspace(1) %p
  store volatile float %v229, ptr addrspace(1) %p
  store volatile float %v230, ptr addrspace(1) %p
  store volatile float %v231, ptr addrspace(1) %p
  store volatile float %v232, ptr addrspace(1) %p
  store volatile float %v233, ptr addrspace(1) %p
  store volatile float %v234, ptr addrspace(1) %p
  store volatile float %v235, ptr addrspace(1) %p
  store volatile float %v236, ptr addrspace(1) %p
  store volatile float %v237, ptr addrspace(1) %p
  store volatile float %v238, ptr addrspace(1) %p
  store volatile float %v239, ptr addrspace(1) %p
  store volatile float %v240, ptr addrspace(1) %p
  store volatile float %v241, ptr addrspace(1) %p
  store volatile float %v242, ptr addrspace(1) %p
  store volatile float %v243, ptr addrspace(1) %p
  store volatile float %v244, ptr addrspace(1) %p
  store volatile float %v245, ptr addrspace(1) %p
  store volatile float %v246, ptr addrspace(1) %p
  store volatile float %v247, ptr addrspace(1) %p
  store volatile float %v248, ptr addrspace(1) %p
  store volatile float %v249, ptr addrspace(1) %p
  store volatile float %v250, ptr addrspace(1) %p
  store volatile float %v251, ptr addrspace(1) %p
  store volatile float %v252, ptr addrspace(1) %p
  store volatile float %v253, ptr addrspace(1) %p
  store volatile float %v254, ptr addrspace(1) %p
  store volatile float %v255, ptr addrspace(1) %p
  store volatile float %v256, ptr addrspace(1) %p
  store volatile float %v257, ptr addrspace(1) %p
  store volatile float %v258, ptr addrspace(1) %p
  store volatile float %v259, ptr addrspace(1) %p
  store volatile float %v260, ptr addrspace(1) %p
  store volatile float %v261, ptr addrspace(1) %p
  store volatile float %v262, ptr addrspace(1) %p
  store volatile float %v263, ptr addrspace(1) %p
  store volatile float %v264, ptr addrspace(1) %p
  store volatile float %v265, ptr addrspace(1) %p
  store volatile float %v266, ptr addrspace(1) %p
  store volatile float %v267, ptr addrspace(1) %p
  store volatile float %v268, ptr addrspace(1) %p
  store volatile float %v269, ptr addrspace(1) %p
  store volatile float %v270, ptr addrspace(1) %p
  store volatile float %v271, ptr addrspace(1) %p
  store volatile float %v272, ptr addrspace(1) %p
  store volatile float %v273, ptr addrspace(1) %p
  store volatile float %v274, ptr addrspace(1) %p
  store volatile float %v275, ptr addrspace(1) %p
  store volatile float %v276, ptr addrspace(1) %p
  store volatile float %v277, ptr addrspace(1) %p
  store volatile float %v278, ptr addrspace(1) %p
  store volatile float %v279, ptr addrspace(1) %p
  store volatile float %v280, ptr addrspace(1) %p
  store volatile float %v281, ptr addrspace(1) %p
  store volatile float %v282, ptr addrspace(1) %p
  store volatile float %v283, ptr addrspace(1) %p
  store volatile float %v284, ptr addrspace(1) %p
  store volatile float %v285, ptr addrspace(1) %p
  store volatile float %v286, ptr addrspace(1) %p
  store volatile float %v287, ptr addrspace(1) %p
  store volatile float %v288, ptr addrspace(1) %p
  store volatile float %v289, ptr addrspace(1) %p
  store volatile float %v290, ptr addrspace(1) %p
  store volatile float %v291, ptr addrspace(1) %p
  store volatile float %v292, ptr addrspace(1) %p
  store volatile float %v293, ptr addrspace(1) %p
  store volatile float %v294, ptr addrspace(1) %p
  store volatile float %v295, ptr addrspace(1) %p
  store volatile float %v296, ptr addrspace(1) %p
  store volatile float %v297, ptr addrspace(1) %p
  store volatile float %v298, ptr addrspace(1) %p
  store volatile float %v299, ptr addrspace(1) %p
  ret void
}
